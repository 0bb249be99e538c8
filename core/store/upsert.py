"""An insert that replaces what is there already."""

from collections.abc import Sequence

from sqlalchemy.dialects.sqlite import Insert, insert

from core.store.tables import TableBase


def upsert_of(row: type[TableBase], key: str, leave: Sequence[str] = ()) -> Insert:
    """An insert that replaces all columns but `leave` where the key is there already.

    To be made once: building a statement of 30 columns costs more than running it.
    """
    statement = insert(row)
    names = [column.name for column in row.__table__.columns if column.name not in leave]
    new = {name: statement.excluded[name] for name in names if name != key}
    return statement.on_conflict_do_update(index_elements=[key], set_=new)
