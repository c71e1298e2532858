"""The built pages of a package that optim_ref_docs has never heard of."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_project import MODULE, Page, Tiny, packages, resolve, words

SECTIONS = [
    "what",
    "why",
    "mathematics",
    "symbols",
    "shapes",
    "implementation",
    "code-and-math",
    "used-by",
    "status",
    "implemented-in",
]
LISTING = "source/src/tiny/__init__.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    tiny = Tiny.make(tmp_path_factory.mktemp("built"))
    done = tiny.build()
    assert done.returncode == 0, done.stderr
    return tiny


def test_sections_stand_in_their_order(built: Tiny) -> None:
    prefix = "tiny.double--"
    ids = [identifier for identifier in built.page().ids if identifier.startswith(prefix)]
    assert [identifier for identifier in ids if identifier.removeprefix(prefix) in SECTIONS] == [
        prefix + section for section in SECTIONS if section != "shapes"
    ]


def test_equation_has_permalink_title_and_number(built: Tiny) -> None:
    assert words(built.page().text_of["eq-doubling"]).startswith("Twice (1)")


def test_symbol_table(built: Tiny) -> None:
    assert [[words(cell) for cell in row] for row in built.page().tables[0]] == [
        ["Symbol", "Meaning", "In code", "Shape"],
        ["y", "The result", "result", "scalar"],
        ["x", "The number", "x", "scalar"],
    ]


def test_code_and_math_table(built: Tiny) -> None:
    lines = MODULE.splitlines()
    computing = next(number for number, line in enumerate(lines, 1) if "# eq:" in line)
    calling = next(number for number, line in enumerate(lines, 1) if "double(double" in line)
    assert [[words(cell) for cell in row] for row in built.page().tables[1]] == [
        ["Equation", "Role", "Lines", "Code"],
        ["(1)", "Computes it", f"line {computing}", "result = 2 * x"],
        ["(1)", "Calls it", f"line {calling}", "return double(double(x))"],
        ["(1)", "Tests it", "lines 6–8", "def test_double():"],
    ]


def test_status_is_derived(built: Tiny) -> None:
    text = words(built.page().text)
    assert "Implemented: 1 equation, 1 with a computing line, 1 with a test." in text
    assert "Partly: no equation of its own; called by 0 tests." in text


def test_every_line_link_leads_to_the_shown_text(built: Tiny) -> None:
    page = built.page()
    links = [resolve(href) for href, text in page.links if re.fullmatch(r"lines? \d+(–\d+)?", text.strip())]
    assert len(links) > 5
    for target, anchor in links:
        path = target.removeprefix("source/") or "src/tiny/__init__.py"
        number = int(re.findall(r"\d+$", anchor)[0])
        shown = built.page(target).text_of[anchor]
        assert shown.strip() == (built.root / path).read_text().splitlines()[number - 1].strip()


def test_tagged_line_links_back_to_its_equation(built: Tiny) -> None:
    assert ("#eq-doubling", "doubling") in built.page().links
    assert "../../../../#eq-doubling" in [href for href, _ in built.page(LISTING).links]


def test_ids_are_unique_and_links_have_targets(built: Tiny) -> None:
    site = built.root / "site"
    pages = {path.parent.relative_to(site).as_posix(): Page.read(path) for path in site.rglob("index.html")}
    for url, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), url
        for href, _ in page.links:
            if not href.startswith("http"):
                target, anchor = resolve(href, "" if url == "." else url)
                assert not anchor or anchor in pages[target or "."].ids, (url, href)


def test_page_holds_no_tex(tmp_path: Path) -> None:
    page = "Inline $\\frac{a}{b}$ and displayed:\n\n$$\n\\sqrt{\\hat{v}_t}\n$$\n\n::: tiny"
    tiny = Tiny.make(tmp_path, MODULE.replace("y = 2 x", r"y = \frac{4 x}{2}"), page=page)
    assert tiny.build().returncode == 0
    html = (tiny.root / "site" / "index.html").read_text()
    assert html.count("<mfrac>") == 2
    assert "<msqrt>" in html
    assert not re.search(r"\\frac|\\sqrt|\\hat|\\\(|\$\$|<annotation|arithmatex", html)


def test_search_finds_prose_titles_and_names_alone(built: Tiny) -> None:
    index = json.loads((built.root / "site/search/search_index.json").read_text())["docs"]
    text = " ".join(words(f"{entry['title']} {entry['text']}") for entry in index)
    for found in ("Twice a number", "Needed in examples", "double", "The result", "Euclid, Elements"):
        assert found in text
    for hidden in ("return", "Computes it", "Calls it", "test_double", "line 23", "def double"):
        assert hidden not in text, hidden


def test_a_blank_line_at_the_top_moves_every_number(tmp_path: Path) -> None:
    tiny = Tiny.make(tmp_path)
    assert tiny.build().returncode == 0
    before = _numbers(tiny.page())
    tiny.write("src/tiny/__init__.py", "\n" + MODULE)
    assert tiny.build().returncode == 0
    after = _numbers(tiny.page())
    assert after == [(path, number + 1 if path.startswith("src/") else number) for path, number in before]
    test_every_line_link_leads_to_the_shown_text(tiny)


def _numbers(page: Page) -> list[tuple[str, int]]:
    anchors = [resolve(href)[1] for href, _ in page.links]
    return [(path, int(number)) for path, mark, number in (a.rpartition("--L") for a in anchors) if mark]


def test_with_a_repository_lines_are_those_of_the_commit(tmp_path: Path) -> None:
    tiny = Tiny.make(tmp_path)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    tiny.write(".gitignore", "site/\ndocs/source/\ndocs/equations.json\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    assert tiny.build(REPO_URL="https://example.org/tiny").returncode == 0
    link = re.compile(r"https://example\.org/tiny/blob/(?P<commit>\w+)/(?P<path>[^#]+)#L(?P<first>\d+)")
    links = [match for href, _ in tiny.page().links if (match := link.match(href))]
    assert len(links) > 5
    for match in links:
        shown = subprocess.run(
            [*git, "show", f"{match['commit']}:{match['path']}"], check=True, capture_output=True, text=True
        ).stdout
        assert shown.splitlines()[int(match["first"]) - 1].strip()
    first, last = (
        1 + MODULE.splitlines().index(line)
        for line in ("def double(x: float) -> float:", "    return result")
    )
    whole = f"https://example.org/tiny/blob/{links[0]['commit']}/src/tiny/__init__.py#L{first}-L{last}"
    assert whole in [href for href, _ in tiny.page().links]


def test_records_for_other_tools(built: Tiny) -> None:
    records = json.loads((built.root / "site/equations.json").read_text())
    assert records["package"] == "tiny"
    (equation,) = records["equations"]
    assert (equation["id"], equation["title"], equation["tex"]) == ("doubling", "Twice", "y = 2 x")
    assert equation["function"] == "tiny.double"
    assert [place["code"] for place in equation["lines"]] == ["result = 2 * x"]
    assert [place["function"] for place in equation["tests"]] == ["tests.test_tiny.test_double"]
    assert [place["function"] for place in equation["callers"]] == ["tiny.quadruple"]
    assert equation["reference"][0]["url"] == "https://example.org/euclid"


def test_the_command_prepares_a_project_without_live_examples(tmp_path: Path) -> None:
    tiny = Tiny.make(tmp_path)
    command = [sys.executable, "-m", "optim_ref_docs", "prepare"]
    for expected in ("3 listings and records changed", "0 listings and records changed"):
        done = subprocess.run(
            command, cwd=tiny.root, env=packages(), check=True, capture_output=True, text=True
        )
        assert done.stdout.strip() == expected
    assert (tmp_path / "docs/source/src/tiny/__init__.py.md").is_file()
