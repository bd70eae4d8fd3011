"""Makes docs/tutorial.ipynb of docs/tutorial.md: python blocks become cells, the rest text.

    python crates/python/tools/notebook.py           run it and write the notebook with its output
    python crates/python/tools/notebook.py --check   run it and compare it with the notebook

Output of cells that depends on time or on the machine is not compared.
"""

import argparse
import pathlib
import re
import sys

import nbclient
import nbformat

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def notebook(text: str) -> nbformat.NotebookNode:
    """The cells of a page."""
    cells = []
    for i, part in enumerate(BLOCK.split(text)):
        if not part.strip():
            continue
        make = nbformat.v4.new_code_cell if i % 2 else nbformat.v4.new_markdown_cell
        cells.append(make(part.strip("\n"), id=f"cell-{i}"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def results(made: nbformat.NotebookNode) -> list[tuple[str, object]]:
    """The sources of the cells, and their results without what is printed on the way."""
    def data(cell: nbformat.NotebookNode) -> list[object]:
        outputs = [output for output in cell.get("outputs", []) if output.get("name") != "stderr"]
        return [output.get("data", output.get("text")) for output in outputs]

    return [(cell.source, data(cell)) for cell in made.cells]


def keep_last_bar(cell: nbformat.NotebookNode) -> None:
    """Of a progress bar only the end is kept, without its time."""
    bars = [output for output in cell.get("outputs", []) if output.get("name") == "stderr"]
    if bars:
        last = "".join(bar.text for bar in bars).rstrip().rsplit("\r", 1)[-1]
        kept = nbformat.v4.new_output("stream", name="stderr", text=last.rsplit(",", 1)[0] + "\n")
        cell.outputs = [kept, *(output for output in cell.outputs if output not in bars)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the notebook")
    check = parser.parse_args().check
    made = notebook((DOCS / "tutorial.md").read_text())
    nbclient.NotebookClient(made, timeout=600, record_timing=False).execute()
    path = DOCS / "tutorial.ipynb"
    if not check:
        made.metadata.pop("language_info", None)
        for cell in made.cells:
            keep_last_bar(cell)
        nbformat.write(made, path)
        return
    kept = nbformat.read(path, as_version=4)
    for new, old in zip(results(made), results(kept)):
        if new != old:
            sys.exit(f"docs/tutorial.ipynb differs: make tutorial\n{old[0]}\nwas:\n{old[1]}\nis:\n{new[1]}")
    if len(made.cells) != len(kept.cells):
        sys.exit("docs/tutorial.ipynb has other cells than docs/tutorial.md: make tutorial")


if __name__ == "__main__":
    main()
