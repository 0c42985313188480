"""Builds the documentation site: guides, the commands, the HTTP API and the Swift modules.

build.py OUTPUT PROGRAM GRAPHS

PROGRAM is `longhand`, whose help has the commands. GRAPHS has a folder of symbol graphs for each Swift module. The pages need
no server and no other host. Prints the broken links, and fails if there are any.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

from markdown_it import MarkdownIt

output, program, graphs = (pathlib.Path(argument) for argument in sys.argv[1:])
root = pathlib.Path(__file__).resolve().parents[2]
markdown = MarkdownIt("commonmark").enable("table")
pages = {}  # the path of each page, and its anchors and links


def slug(title):
    """The anchor of a heading, as on code hosts."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def render(text, folder="", heading=0, anchors=True):
    """Markdown as HTML. `folder` is where its links start; headings are `heading` levels deeper."""
    tokens = markdown.parse(re.sub(r"<doc:([^>]+)>", r"*\1*", text))
    for index, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + heading)}"
        if token.type == "heading_open" and anchors:
            token.attrSet("id", slug(re.sub(r"[`*\[\]]|\(.*?\)", "", tokens[index + 1].content)))
        for child in token.children or []:
            if child.type == "link_open":
                child.attrSet("href", target(str(child.attrGet("href")), folder))
    result = markdown.renderer.render(tokens, markdown.options, {})
    result = result.replace("<pre>", '<pre tabindex="0">')
    result = result.replace("<table>", '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>')
    return result.replace("</table>", "</table></div>")


def target(link, folder):
    """A link of a document as a link of the site, which is flat: other files of the source are copied to `files`."""
    path, _, anchor = link.partition("#")
    if re.match(r"[a-z]+:", link) or not path:
        return link
    source = (root / folder / path).resolve()
    if source.suffix == ".md" and source.parent in (root, root / "docs"):
        return name(source) + (f"#{anchor}" if anchor else "")
    if source.is_file() and root in source.parents:
        copy = output / "files" / source.name
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, copy)
        return f"files/{source.name}"
    # A folder of the source is not part of the site; the first page says where the source is.
    return "index.html"


def name(source):
    return "index.html" if source.name == "README.md" else source.stem.lower() + ".html"


def write(path, title, body, links):
    up = "../" * path.count("/")
    menu = "".join(f'<li><a href="{up}{file}">{html.escape(text)}</a></li>' for file, text in links)
    file = output / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} – Longhand</title><link rel="stylesheet" href="{up}style.css"></head>
<body><nav aria-label="Pages"><details><summary>Longhand</summary><ul>{menu}</ul></details></nav><main>{body}</main></body></html>
"""
    )
    pages[path] = title


def guides():
    files = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    files += [root / "CHANGELOG.md", root / "CONTRIBUTING.md", root / "SECURITY.md"]
    for file in files:
        text = file.read_text()
        title = re.search(r"^# (.+)$", text, re.M)[1]
        yield name(file), title, render(text, str(file.parent.relative_to(root)))


def commands():
    def ask(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout

    verbs = [line.split("\t")[0] for line in ask("completions", "--list", "--", "").splitlines()]
    parts = [f'<pre tabindex="0">{html.escape(ask("help"))}</pre>']
    for verb in ["recognition", *sorted(set(verbs) - {"help"})]:
        parts.append(f'<h2 id="{verb}">{verb}</h2><pre tabindex="0">{html.escape(ask("help", verb))}</pre>')
    return "<h1>Commands</h1>" + "".join(parts)


def api():
    document = json.loads((root / "Sources/LonghandServer/Page/openapi.json").read_text())
    rows = [f"<h1>HTTP API</h1><p>{html.escape(document['info']['description'])}</p>"]
    for path, methods in document["paths"].items():
        for method, entry in methods.items():
            if method not in ("get", "put", "post", "patch", "delete"):
                continue
            rows.append(f"<h2><code>{method.upper()} {html.escape(path)}</code></h2><p>{html.escape(entry['summary'])}</p>")
            items = []
            for part in entry.get("parameters", []):
                if "name" in part:
                    note = html.escape(part.get("description", ""))
                    items.append(f"<li><code>{part['name']}</code> ({part['in']}) {note}</li>")
            if body := entry.get("requestBody"):
                types = ", ".join(body.get("content", {}))
                items.append(f"<li>Body: {html.escape(types)}. {html.escape(body.get('description', ''))}</li>")
                for content in body.get("content", {}).values():
                    for field in content.get("schema", {}).get("properties", {}):
                        items.append(f"<li>Member <code>{html.escape(field)}</code></li>")
            rows.append(f"<ul>{''.join(items)}</ul>" if items else "")
    return "".join(rows)


def module(folder):
    """The public symbols of a module: a page with its types, and one page for each type with its members."""
    symbols = []
    for file in sorted(folder.glob("*.symbols.json")):
        symbols += json.loads(file.read_text())["symbols"]
    groups = {}
    for symbol in symbols:
        groups.setdefault(symbol["pathComponents"][0].split("(")[0], []).append(symbol)
    return dict(sorted(groups.items()))


def entry(symbol, level):
    declaration = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
    comment = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
    title = html.escape(".".join(symbol["pathComponents"]))
    text = render(comment, heading=level + 1, anchors=False)
    text = re.sub(r"<(/?)h[1-6]>", r"<\1p>", text)
    return f'<h{level}>{title}</h{level}><pre tabindex="0">{html.escape(declaration)}</pre>{text}'


def check():
    """The links that lead nowhere, and the addresses of other hosts that a page would load."""
    anchors = {path: set(re.findall(r' id="([^"]+)"', (output / path).read_text())) for path in pages}
    for path in pages:
        text = (output / path).read_text()
        for tag, link in re.findall(r'<(a|link|script|img|iframe)\b[^>]*?(?:href|src)="([^"]*)"', text):
            link = html.unescape(link)
            if re.match(r"(https?|mailto):", link):
                if tag != "a":
                    yield f"{path}: loads {link}"
                continue
            file, _, anchor = link.partition("#")
            goal = pathlib.PurePosixPath(path).parent / urllib.parse.unquote(file) if file else pathlib.PurePosixPath(path)
            parts = []
            for part in goal.parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            goal = "/".join(parts)
            if not (output / goal).is_file():
                yield f"{path}: no file {link}"
            elif anchor and anchor not in anchors.get(goal, set()):
                yield f"{path}: no anchor {link}"


shutil.rmtree(output, ignore_errors=True)
output.mkdir(parents=True)
shutil.copyfile(pathlib.Path(__file__).parent / "style.css", output / "style.css")
texts = list(guides())
modules = sorted(folder for folder in graphs.iterdir() if folder.is_dir()) if graphs.is_dir() else []
links = [(path, title) for path, title, _ in texts]
links += [("commands.html", "Commands"), ("api.html", "HTTP API")]
links += [(f"{folder.name}/index.html", f"Swift: {folder.name}") for folder in modules]
for path, title, body in texts:
    write(path, title, body, links)
write("commands.html", "Commands", commands(), links)
write("api.html", "HTTP API", api(), links)
for folder in modules:
    groups = module(folder)
    files = {title: f"{number}.html" for number, title in enumerate(groups)}
    articles = [*root.glob(f"Sources/{folder.name}/{folder.name}.docc/*.md"), *root.glob(f"Sources/Apple/{folder.name}/*.docc/*.md")]
    body = f"<h1>Module {folder.name}</h1>"
    for article in sorted(articles):
        text = re.sub(r"^# .+$", f"## {article.stem}", article.read_text(), count=1, flags=re.M)
        # Several articles have headings of the same name.
        text = re.sub(r"^(#+) ", r"\1# ", text.split("\n## Topics")[0], flags=re.M)
        body += render(text.replace("### " + article.stem, "## " + article.stem, 1), heading=0, anchors=False)
    body += "<h2>Symbols</h2><ul>"
    for title, symbols in groups.items():
        body += f'<li><a href="{files[title]}">{html.escape(title)}</a></li>'
        first, *rest = sorted(symbols, key=lambda symbol: (len(symbol["pathComponents"]), symbol["pathComponents"]))
        text = entry(first, 1) + "".join(entry(symbol, 2) for symbol in rest)
        write(f"{folder.name}/{files[title]}", title, text, links)
    write(f"{folder.name}/index.html", folder.name, body + "</ul>", links)
broken = list(check())
print("\n".join(broken[:50]))
print(f"site: {len(pages)} pages in {output}, {len(broken)} broken links or requests to other hosts")
sys.exit(1 if broken else 0)
