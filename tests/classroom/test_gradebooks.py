"""Tables for platforms: their own tables get grades, and nothing else changes."""

import csv
import io
import re
from dataclasses import replace

import pytest
from graded_class import PLAN, graded, whole_class

from classroom import gradebooks
from classroom.marks import FAILED, Student

MOODLE = (
    '\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum grade",'
    '"Grade can be changed","Last modified (submission)","Last modified (grade)",'
    '"Feedback comments"\n'
    'Participant 102,"Zoë Ångström",z@example.org,Submitted for grading,,3.00,Yes,-,-,\n'
    "Participant 999,Nobody,n@example.org,No submission,,3.00,Yes,-,-,\n"
    'Participant 104,"=HYPERLINK(""x"")",h@example.org,Submitted,,3.00,Yes,-,-,old\n'
)
#: What Moodle writes in other languages: its words, and no blank before the number.
WORKSHEETS = {
    "de": (
        'ID,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung,Bestwertung,'
        '"Bewertung kann geändert werden","Zuletzt geändert (Abgabe)",'
        '"Zuletzt geändert (Bewertung)","Feedback als Kommentar"',
        'Teilnehmer/in102,Zoë,z@example.org,"Zur Bewertung abgegeben - Bewertet",,"6,00",Ja,'
        '"Dienstag, 2. Dezember 2025, 10:37",-,',
    ),
    "es": (
        'Identificador,"Nombre completo","Dirección de correo",Estado,Calificación,'
        '"Calificación máxima","La calificación puede ser cambiada","Última modificación '
        '(entrega)","Última modificación (calificación)","Comentarios de retroalimentación"',
        'Participante102,Zoë,z@example.org,"Enviado para calificar",,"6,00",Sí,'
        '"lunes, 5 de octubre de 2026, 10:00",-,',
    ),
    "fr, as Excel saves it": (
        "Identifiant;Nom complet;Adresse de courriel;Statut;Note;Note maximale;"
        "La note peut être modifiée;Dernière modification (travail remis);"
        "Dernière modification (note);Feedback par commentaires",
        "Participant102;Zoë;z@example.org;Remis pour évaluation;;6,00;Oui;-;-;",
    ),
    "pt_br, by teams": (
        'Identificador,"Nome completo","Endereço de email",Status,Grupo,Nota,"Nota máxima",'
        '"Nota pode ser alterada","Última modificação (envio)","Última modificação (nota)",'
        '"Comentários de feedback"',
        'Participante102,Zoë,z@example.org,"Enviado para avaliação","Grupo 1",,"6,00",Sim,-,-,',
    ),
    "ja, pasted from a table": (
        "ID\tフルネーム\tメールアドレス\tステータス\t評定\t最大評点\t評定は変更できます\t"
        "最終更新日時 (提出)\tオンラインテキスト\t最終更新日時 (評定)\tフィードバックコメント",
        "参加者102\tZoë\tz@example.org\t提出済み\t-\t6.00\tYes\t2026年 10月 5日 10:00\t\t-\t",
    ),
    "it, blind": (
        'Identificatore,Stato,Valutazione,"Valutazione massima","La valutazione può essere '
        'cambiata","Ultima modifica (consegna)","Ultima modifica (valutazione)","Commenti"',
        'Partecipante102,"Consegnato per la valutazione","1,50","6,00",Sì,-,-,',
    ),
    "ar": (
        'معرف,"الاسم الكامل",الحالة,الدرجة,"الدرجة القصوى","آخر تعديل (الدرجة)",ملاحظات',
        "مشارك102\u200f,Zoë,سلم,,6.00,-,",
    ),
}
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Week 2 (11),Week 3 (12),Final\n"
    '"    Points Possible",,,,,5,3,\n'
    '"Lovelace, Ada",101,s1,ada,A,4,,80\n'
    '"Ångström, Zoë",102,s2,zoe,A,3,EX,70\n'
    '"Student, Test",999,,t,A,,,\n'
)


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def test_moodles_worksheet_gets_grades_and_comments_and_keeps_the_rest():
    before = rows(MOODLE.removeprefix("\ufeff"))
    after = rows(gradebooks.moodle_table(whole_class(), MOODLE))
    assert [row[4] for row in after] == ["Grade", "2", "", "2.5"]
    assert "2 of 3 points." in after[1][9] and after[2][9] == ""
    assert "The file is not a notebook." in after[3][9]
    for old, new in zip(before, after, strict=True):
        assert [*old[:4], *old[5:9]] == [*new[:4], *new[5:9]]


@pytest.mark.parametrize("language", WORKSHEETS)
def test_moodles_worksheet_is_filled_in_every_language(language):
    sign = ";" if "Excel" in language else "\t" if "pasted" in language else ","
    lines = WORKSHEETS[language]
    other = lines[1].replace("102", "103").replace("1,50", "")
    sheet = "\n".join([*lines, other, ""])
    done = gradebooks.moodle_table([graded("Zoë", "102", first=0.25)], sheet)
    before, after = (list(csv.reader(io.StringIO(text), delimiter=sign)) for text in (sheet, done))
    most = next(n for n, cell in enumerate(before[1]) if cell in ("6,00", "6.00"))
    points = "4,5" if "," in before[1][most] else "4.5"
    assert (after[1][most - 1], after[1][-1][:17]) == (points, "2.25 of 3 points.")
    after[1][most - 1], after[1][-1] = before[1][most - 1], ""
    assert after == before


def test_comments_never_replace_a_column_of_dates():
    lines = [line.rpartition(",")[0] for line in WORKSHEETS["de"]]
    (row,) = rows(gradebooks.moodle_table([graded("Zoë", "102")], "\n".join(lines)))[1:]
    assert (row[4], row[-1]) == ("6", "-")


def test_run_that_fills_no_row_is_a_failure():
    (said,) = gradebooks.unfilled([graded("Zoë", "7")], "\n".join(WORKSHEETS["de"]), "")
    assert "got no grade. Its numbers, such as 102, belong to nobody" in said and "Zoë (7)" in said
    assert not gradebooks.unfilled(whole_class(), MOODLE, "")
    assert not gradebooks.unfilled([graded("Zoë", "7", problem=FAILED)], MOODLE, "")
    assert "Canvas's grade book got no grade" in gradebooks.unfilled(whole_class(), "", CANVAS)[0]


def test_canvas_table_changes_only_its_column():
    before, after = rows(CANVAS), rows(gradebooks.canvas_table(whole_class("canvas"), PLAN, CANVAS))
    assert [row[6] for row in after] == ["Week 3 (12)", "3", "3", "EX", ""]
    for old, new in zip(before, after, strict=True):
        assert [*old[:6], *old[7:]] == [*new[:6], *new[7:]]
    assert after[1][0] == "    Points Possible"


def test_the_plain_table_is_safe_in_a_spreadsheet():
    table = rows(gradebooks.plain_table(whole_class(), PLAN))
    assert table[0][:5] == ["student", "id", "late", "points", "of"]
    assert table[4][:5] == ['\'=HYPERLINK("x")', "104", "late", "2.5", "3"]
    assert table[5][0] == "Jean, dit Jeannot"


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t=", "\r=", "x\r="])
def test_cells_that_begin_like_a_formula_are_quoted(first):
    hostile = graded(f"{first}1", f"{first}2", problem=f"{first}3")
    told = {cell for row in rows(gradebooks.plain_table([hostile], PLAN)) for cell in row}
    line = " ".join(first.split())
    line = line if line.startswith("x") else f"'{line}"
    assert {f"{line}{number}" for number in (1, 2, 3)} <= told


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
@pytest.mark.parametrize("first", "=+-@＝＋－＠")
def test_no_cell_becomes_a_formula_with_other_separators(separator, first):
    """In some locales another sign separates cells, so a cell would end there."""
    hostile = graded(f"Ada{separator} {first}1+1", f"{first}1", problem=f"x;'{first}1")
    tables = (
        gradebooks.plain_table([hostile], PLAN),
        gradebooks.moodle_table([hostile]),
        gradebooks.canvas_table([hostile], PLAN),
        gradebooks.nbgrader_table([hostile], PLAN),
    )
    for table in tables:
        cells = [part for row in rows(table) for cell in row for part in re.split("[;,|\t]", cell)]
        assert not [cell for cell in cells if cell.strip(' "').startswith(tuple("=+-@＝＋－＠"))]


def test_machine_failures_are_not_grades_in_any_table():
    failed = graded("Zoë", "102", first=0.0, second=0.0, problem=FAILED)
    for table in (
        gradebooks.moodle_table([failed]),
        gradebooks.canvas_table([failed], PLAN),
        gradebooks.nbgrader_table([failed], PLAN),
    ):
        assert "102" not in table
    assert rows(gradebooks.moodle_table([failed], MOODLE)) == rows(MOODLE.removeprefix("\ufeff"))
    assert FAILED in gradebooks.plain_table([failed], PLAN)


def test_nbgraders_table_has_the_columns_of_its_own_export():
    head, first, *_ = rows(gradebooks.nbgrader_table(whole_class(), PLAN))
    assert head[:4] == ["assignment", "duedate", "timestamp", "student_id"]
    assert head[4:7] == ["last_name", "first_name", "email"]
    assert head[7:] == ["raw_score", "late_submission_penalty", "score", "max_score"]
    assert dict(zip(head, first, strict=True))["score"] == "3"


def test_values_that_do_not_fit_a_sheet_are_reported():
    of_all = whole_class()
    assert gradebooks.remarks(of_all[:1], PLAN, MOODLE, "") == [
        "Moodle's worksheet has no row for Ada Lovelace: no grade goes there."
    ]
    assert gradebooks.remarks([of_all[1], graded("Eva")], PLAN, MOODLE, "") == [
        "Moodle's worksheet has no row for Eva: no grade goes there."
    ]
    assert gradebooks.remarks([of_all[1]], PLAN, "\n".join(WORKSHEETS["de"]), "") == [
        "Moodle's worksheet has a maximum of 6,00, and this class gives 3:"
        " the grades there are scaled."
    ]
    late = replace(PLAN, late_percent=10)
    assert (
        "is not in English, so no late days were read"
        in gradebooks.remarks([of_all[1]], late, "\n".join(WORKSHEETS["de"]), "")[1]
    )
    canvas = whole_class("canvas")
    assert gradebooks.remarks(canvas[:2], replace(PLAN, title="Week 3"), "", CANVAS) == []
    assert gradebooks.remarks(canvas[:2], replace(PLAN, title="Week 2"), "", CANVAS) == [
        "Canvas's grade book has a maximum of 5, and this class gives 3:"
        " the grades there are scaled."
    ]


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("Identifier\n", "Moodle's worksheet must be a table in CSV, got 'Identifier"),
        (
            MOODLE.split("\n")[0] + "\n" + ",".join("123456789ab"),
            "10 cells a row, got more in row 2",
        ),
        (
            'ID,Name,Bewertung,Skala\nTeilnehmer/in1,A,,"nicht bestanden\nbestanden"\n',
            "Moodle's worksheet must have a column 'Grade', got 'ID, Name, Bewertung, Skala'. Say "
            "what it calls its columns of grades and of comments: --moodle-columns GRADE COMMENTS",
        ),
        ("Identifier,Grade,Scale\nParticipant 1,,x\n", "of an assignment with points, got 'Scale'"),
        ("<!doctype html>\n<title>Log in, please</title>\n", "must be a table in CSV, got '<!doc"),
    ],
)
def test_unusable_worksheet_is_refused(sheet, told):
    with pytest.raises(ValueError) as caught:
        gradebooks.moodle_table([], sheet)
    assert told in str(caught.value)


def test_canvas_table_keeps_its_delimiter_and_needs_numbers():
    head = "Student;ID;Week 3\n    Points Possible;;1,5\n"
    done = gradebooks.canvas_table([graded("A", "101", 0.0, 1.0)], PLAN, f"{head}A;101;\n")
    assert done == f"{head}A;101;\n"  # a student of Moodle
    known = [replace(graded("A", "101", 0.0, 1.0), student=Student("A", "101", "canvas"))]
    assert gradebooks.canvas_table(known, PLAN, f"{head}A;101;\n") == f"{head}A;101;0,5\n"
    with pytest.raises(ValueError, match="the table must have a column 'ID', got 'Name, Grade'"):
        gradebooks.canvas_table([], PLAN, "Name,Grade\n")
