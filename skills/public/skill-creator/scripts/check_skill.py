#!/usr/bin/env python3
"""Check a skill folder against the Agent Skills format and good practice.

Reads the folder, prints one JSON object to standard output, changes nothing. Needs only the standard library, so
it reads the plain block style of YAML that the format asks for and reports anything beyond it.
Exit status: 0 no errors (warnings allowed), 1 errors found, 2 wrong use.
"""

import argparse
import json
import os
import re
import sys

FIELDS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
NAME = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$")
KEY = re.compile(r"^([A-Za-z0-9_-]+):(?:[ \t]+(.*))?$")
PATH = re.compile(r"(?<![\w/.-])(?:\./|\{baseDir\}/|\$\{CLAUDE_SKILL_DIR\}/)?((?:references|templates|assets|scripts|evals)/[\w./-]*[\w-]\.\w+)")
IMPORTED = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)|import[ \t]+([\w., \t]+))", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
READ_ON_DEMAND = ("references/", "templates/", "assets/", "scripts/")
FILE_LIMIT = 1_000


class Report:
    """Findings in the order found; each names file, line and fix."""

    def __init__(self):
        self.findings = []

    def add(self, severity, file, line, message, fix):
        entry = {"severity": severity, "file": file, "line": line, "message": message, "fix": fix}
        if entry not in self.findings:
            self.findings.append(entry)

    def error(self, file, line, message, fix):
        self.add("error", file, line, message, fix)

    def warn(self, file, line, message, fix):
        self.add("warning", file, line, message, fix)


def scalar(text, line, report):
    """The value of a one-line scalar; reports what a strict reader would refuse or cut."""
    value = text.strip()
    if value[:1] in ('"', "'"):
        if len(value) < 2 or value[-1] != value[0]:
            report.error("SKILL.md", line, "quoted value is not closed", "end it with the quote it starts with")
            return value[1:]
        inner = value[1:-1]
        if value[0] == "'":
            return inner.replace("''", "'")
        return inner.replace('\\"', '"').replace("\\\\", "\\")
    if value[:1] and value[0] in "[]{},&*!%@`|>#":
        report.error("SKILL.md", line, f"value starts with {value[0]}", "use plain text, or quote the value")
    elif re.search(r":(\s|$)", value):
        report.error("SKILL.md", line, "plain value contains a colon and a space", "reword or quote the value")
    elif " #" in value:
        report.error("SKILL.md", line, "text after ' #' is taken as a comment", "reword or quote the value")
    if "---" in value:
        report.error("SKILL.md", line, "value contains three hyphens", "some readers end the header here: reword")
    return value


def block(lines, index, style):
    """Text of a block scalar whose first line is lines[index]; returns it and the index behind it."""
    parts = []
    while index < len(lines) and (not lines[index].strip() or lines[index][0] in " \t"):
        parts.append(lines[index].strip())
        index += 1
    joiner = "\n" if style.startswith("|") else " "
    return joiner.join(parts).strip(), index


def indent_of(line):
    return len(line) - len(line.lstrip())


def inner_block(lines, index, indent):
    """Lines that are indented more than `indent`; returns them and the index behind them."""
    parts = []
    while index < len(lines) and (not lines[index].strip() or indent_of(lines[index]) > indent):
        parts.append(lines[index].strip())
        index += 1
    return "\n".join(parts).strip(), index


def parse_header(lines, report):
    """Fields of the header as text (metadata as a mapping), and the line each stands on."""
    fields, places, index = {}, {}, 0
    while index < len(lines):
        line, number = lines[index], index + 2
        index += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = KEY.match(line)
        if not match:
            report.error("SKILL.md", number, "line is no 'key: value'", "write one field a line, without tabs")
            continue
        key, rest = match.group(1), (match.group(2) or "").strip()
        if key in fields:
            report.error("SKILL.md", number, f"field '{key}' occurs twice", "keep one")
        places[key] = number
        if re.fullmatch(r"[|>][+-]?", rest):
            fields[key], index = block(lines, index, rest)
        elif rest:
            value = scalar(rest, number, report)
            if value[:1] and rest[:1] not in "\"'" and index < len(lines) and lines[index][:1] in (" ", "\t"):
                more, index = block(lines, index, ">")
                value = f"{value} {more}"
            fields[key] = value
        else:
            nested = {}
            while index < len(lines) and lines[index][:1] in (" ", "\t"):
                text, number = lines[index], index + 2
                inner = KEY.match(text.strip())
                index += 1
                if inner and re.fullmatch(r"[|>][+-]?", (inner.group(2) or "").strip()):
                    nested[inner.group(1)], index = inner_block(lines, index, indent_of(text))
                elif inner:
                    nested[inner.group(1)] = scalar(inner.group(2) or "", number, report)
                elif text.strip():
                    report.error("SKILL.md", number, f"'{key}' holds something else than 'name: text'",
                                 "write one indented 'name: text' a line")
            fields[key] = nested or ""
    return fields, places


def check_header(fields, places, folder, report):
    def at(key):
        return places.get(key, 1)

    for key in sorted(set(fields) - FIELDS):
        report.error("SKILL.md", at(key), f"unknown field '{key}'", "remove it, or move it under metadata")
    name, description = fields.get("name"), fields.get("description")
    if not isinstance(name, str) or not name:
        report.error("SKILL.md", at("name"), "name is missing", "add 'name: ' and the folder's name")
    else:
        if len(name) > 64:
            report.error("SKILL.md", at("name"), f"name has {len(name)} characters", "64 at most")
        if not NAME.match(name):
            report.error("SKILL.md", at("name"), f"name '{name}' is not allowed",
                         "a-z, 0-9 and single hyphens between them")
        if name != folder:
            report.error("SKILL.md", at("name"), f"name '{name}' differs from the folder '{folder}'",
                         "make them equal")
    if not isinstance(description, str) or not description.strip():
        report.error("SKILL.md", at("description"), "description is missing", "say what it does and when to use it")
    else:
        line = at("description")
        if len(description) > 1024:
            report.error("SKILL.md", line, f"description has {len(description)} characters", "1,024 at most")
        elif len(description) > 400:
            report.warn("SKILL.md", line, f"description has {len(description)} characters",
                        "every conversation pays for it: aim at 320")
        elif len(description) < 80:
            report.warn("SKILL.md", line, "description is very short", "name intents and cases in users' words")
        if re.search("[<>]", description):
            report.error("SKILL.md", line, "description contains an angle bracket", "reword it")
        if not re.search(r"\b(when|if|whenever|before|after)\b", description, re.IGNORECASE):
            report.warn("SKILL.md", line, "description does not say when to use the skill",
                        "begin with 'Use this skill when'")
    compatibility = fields.get("compatibility")
    if compatibility is not None and not (isinstance(compatibility, str) and 1 <= len(compatibility) <= 500):
        report.error("SKILL.md", at("compatibility"), "compatibility must be 1 to 500 characters of text",
                     "shorten it, or leave it out")
    if "metadata" in fields and not isinstance(fields["metadata"], dict):
        report.error("SKILL.md", at("metadata"), "metadata must hold indented 'name: text' lines", "write it so")


def list_files(root, report):
    found = []
    for base, folders, files in os.walk(root):
        folders[:] = sorted(folder for folder in folders if folder not in ("__pycache__", ".git"))
        for file in sorted(files):
            full = os.path.join(base, file)
            path = os.path.relpath(full, root).replace(os.sep, "/")
            if os.path.islink(full):
                report.error(path, None, "is a link", "put a copy of the file there")
            elif file.startswith("."):
                report.warn(path, None, "is a hidden file", "remove it")
            elif not re.fullmatch(r"[A-Za-z0-9._/-]+", path):
                report.warn(path, None, "has a name with spaces or unusual characters", "use a-z, 0-9, - and .")
            found.append(path)
            if len(found) > FILE_LIMIT:
                report.error(path, None, f"the folder has more than {FILE_LIMIT} files", "is this the right folder?")
                return found
    return found


def mentions(text):
    """Paths and links of a Markdown text that look like files of the skill, with their line."""
    for number, line in enumerate(text.splitlines(), start=1):
        for match in PATH.finditer(line):
            yield number, match.group(1)
        for match in LINK.finditer(line):
            target = match.group(1).split("#")[0]
            if target and not re.match(r"^([a-z][a-z0-9+.-]*:|/)", target, re.IGNORECASE):
                yield number, target.removeprefix("./")


def read_text(root, path, report):
    try:
        with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        report.error(path, None, "is not UTF-8", "save it as UTF-8")
    except OSError as error:
        report.error(path, None, f"cannot be read: {error.strerror}", "check the file")
    return None


def check_links(root, files, report):
    known, named = set(files), set()
    for path in [file for file in files if file.endswith(".md")]:
        text = read_text(root, path, report)
        if text is None:
            continue
        for number, target in mentions(text):
            named.add(target)
            if target.startswith("../") or "/../" in target:
                report.warn(path, number, f"'{target}' leaves the skill", "copy what is needed into the skill")
            elif target not in known:
                report.warn(path, number, f"'{target}' does not exist", "add the file or correct the path")
        if INVISIBLE.search(text):
            report.warn(path, None, "contains invisible or direction-changing characters", "remove them")
    for path in [file for file in files if file.endswith(".py")]:
        # A module that a script imports is used without being named.
        for match in IMPORTED.finditer(read_text(root, path, report) or ""):
            for module in (match.group(1) or match.group(2)).split(","):
                name = (module.split() or [""])[0].replace(".", "/") + ".py"
                named.update((name, os.path.join(os.path.dirname(path), name).replace(os.sep, "/")))
    for path in files:
        if path.startswith(READ_ON_DEMAND) and path not in named:
            report.warn(path, None, "is named nowhere, so it will not be read", "name it in SKILL.md with its occasion")


def check(root):
    report, sizes = Report(), {}
    folder = os.path.basename(os.path.abspath(root))
    files = list_files(root, report)
    if "SKILL.md" not in files:
        near = next((file for file in files if file.lower() == "skill.md"), None)
        fix = f"rename '{near}'" if near else "add SKILL.md at the root of the folder"
        report.error("SKILL.md", None, "SKILL.md is missing", fix)
    else:
        text = read_text(root, "SKILL.md", report)
        if text is not None:
            lines = text.splitlines()
            end = next((i for i, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), None)
            if not lines or lines[0].rstrip() != "---":
                report.error("SKILL.md", 1, "the file does not begin with '---'",
                             "put the header first, nothing before it")
            elif end is None:
                report.error("SKILL.md", 1, "the header is not closed", "add a line '---' behind it")
            else:
                fields, places = parse_header(lines[1:end], report)
                check_header(fields, places, folder, report)
                body = "\n".join(lines[end + 1:]).strip()
                name, description = fields.get("name"), fields.get("description")
                sizes = {
                    "name": name if isinstance(name, str) else None,
                    "description_characters": len(description) if isinstance(description, str) else 0,
                    "body_lines": body.count("\n") + 1 if body else 0,
                    "body_tokens_about": (len(body) + 3) // 4,
                }
                if not body:
                    report.error("SKILL.md", end + 1, "the body is empty", "write the instructions")
                if sizes["body_lines"] > 500 or sizes["body_tokens_about"] > 5000:
                    report.warn("SKILL.md", None, "the body is over 500 lines or 5,000 tokens",
                                "move parts to references")
        check_links(root, files, report)
    errors = sum(1 for finding in report.findings if finding["severity"] == "error")
    return {
        "folder": folder,
        "valid": errors == 0,
        "errors": errors,
        "warnings": len(report.findings) - errors,
        **sizes,
        "files": len(files),
        "findings": report.findings[:200],
    }


def main():
    parser = argparse.ArgumentParser(
        description="Check a skill folder; prints JSON with findings (file, line, message, fix).",
        epilog="Exit status: 0 no errors, 1 errors found, 2 wrong use.",
    )
    parser.add_argument("folder", help="the folder that holds SKILL.md")
    options = parser.parse_args()
    if not os.path.isdir(options.folder):
        print(f"check_skill: not a folder: {options.folder}", file=sys.stderr)
        return 2
    result = check(options.folder)
    print(json.dumps(result, indent=1, ensure_ascii=False))
    return 0 if result["valid"] else 1


if __name__ == "__main__":
    sys.exit(main())
