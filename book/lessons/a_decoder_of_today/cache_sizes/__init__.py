"""The live figure CacheSizes."""
