"""Full-text search reads the index once, however many files there are."""

from sqlalchemy import event, text


def test_the_match_is_the_outer_loop_and_runs_once(make_library):
    library = make_library(["red", "blue", "red blue"])
    statements = []

    def note(connection, cursor, statement, parameters, context, many):
        statements.append((statement, parameters))

    with library.database.read() as connection:
        engine = connection.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        assert library.profiles.match(["red"], 10)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    (asked,) = [pair for pair in statements if "MATCH" in pair[0]]
    with library.database.read() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked[0]}", asked[1]).all()
    steps = [row[-1] for row in plan]
    scans = [step for step in steps if "profile_text" in step]
    assert scans == steps[:1], steps
    assert "VIRTUAL TABLE INDEX" in scans[0]
    assert "=" not in scans[0].partition("INDEX")[2], "the match runs once for each rowid"


def test_a_bare_rowid_would_run_the_match_once_a_file(make_library):
    library = make_library(["red"])
    slow = text(
        "EXPLAIN QUERY PLAN SELECT rowid FROM profile_text WHERE profile_text MATCH 'red' "
        "AND rowid IN (SELECT photo_id FROM files)"
    )
    with library.database.read() as connection:
        steps = [row[-1] for row in connection.execute(slow)]
    assert any("=" in step.partition("INDEX")[2] for step in steps if "profile_text" in step)
