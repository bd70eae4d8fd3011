"""The pictures of the book are those that docs/pictures.py draws."""

import importlib.util
import pathlib

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"
SPEC = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
pictures = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pictures)


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_the_picture_is_up_to_date(name):
    kept = (DOCS / "images" / "concepts" / f"{name}.svg").read_text()
    assert pictures.PICTURES[name]() == kept, "make pictures"
