// What Python scripts import, by themselves or by neighbours, beyond the standard library of the machine's python3: wherever
// in the text an import stands, for it may be reached.

import { execFileSync } from 'node:child_process'

const NEEDS = `
import ast, json, os, sys

def near(folder, name):
    for base in (folder, os.path.dirname(folder)):
        for path in (f'{base}/{name}.py', f'{base}/{name}/__init__.py'):
            if os.path.isfile(path): return path
        if os.path.isdir(f'{base}/{name}'): return ''

def needs(path, seen):
    if path in seen or not path: return set()
    seen.add(path)
    try: tree = ast.parse(open(path, encoding='utf-8').read())
    except (SyntaxError, UnicodeError): return set()
    wanted, folder = set(), os.path.dirname(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import): wanted |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0: wanted.add(node.module)
        elif isinstance(node, ast.ImportFrom) and node.level == 1 and node.module: wanted.add(node.module)
    found = set()
    for name in sorted(wanted):
        top = name.partition('.')[0]
        there = near(folder, top)
        if there is not None: found |= needs(near(folder, name.replace('.', '/')) or there, seen)
        elif top not in sys.stdlib_module_names: found.add(top)
    return found

print(json.dumps({path: sorted(needs(path, set())) for path in json.load(sys.stdin)}))`

/** By path. What cannot be read as Python needs nothing: it is compared. */
export function pythonScriptNeeds(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const said = execFileSync('python3', ['-c', NEEDS], { input: JSON.stringify(files), encoding: 'utf8' })
  // The cast: the text above prints it.
  return new Map(Object.entries(JSON.parse(said) as Record<string, string[]>))
}
