"""What a part of the workbench's machines is for."""
