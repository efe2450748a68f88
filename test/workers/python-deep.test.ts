// Guards "what is nested deeply ends with an exception": the interpreter continues, and its stack never overflows.

import { describe, expect, test } from 'vitest'

import { python } from './python-fixture.ts'

/** A timeout for a test that never ends. */
const NEVER_MS = 60_000

describe('deep nesting', { timeout: NEVER_MS }, () => {
  const TREE = `
import xml.etree.ElementTree as ET
deep = '<a>' * 50_000 + '</a>' * 50_000
`
  const NO_LIMIT = 'import sys\nsys.setrecursionlimit(10**6)\n'
  test.each([
    [
      'XML in a tree',
      `${TREE}root = ET.fromstring(deep); print(sum(1 for _ in root.iter()))\nET.tostring(root)`,
    ],
    ['a copy of XML', `${TREE}import copy; copy.deepcopy(ET.fromstring(deep))`],
    ['XML in a pickle', `${TREE}import pickle; pickle.dumps(ET.fromstring(deep))`],
    ['text of XML', `${TREE}list(ET.fromstring(deep).itertext())`],
    ['XML in minidom', `${TREE}import xml.dom.minidom as m; m.parseString(deep).toxml()`],
    ['XML in SAX', `${TREE}import xml.sax; xml.sax.parseString(deep, xml.sax.ContentHandler())`],
    ['JSON', `import json; json.loads('[' * 200_000)`],
    ['JSON to write', `import json\nx = []\nfor _ in range(100_000): x = [x]\njson.dumps(x)`],
    ['a list to print', `x = []\nfor _ in range(200_000): x = [x]\nrepr(x)`],
    ['a list to compare', `x, y = [], []\nfor _ in range(200_000): x, y = [x], [y]\nx == y`],
    ['a dictionary to print', `x = {}\nfor _ in range(200_000): x = {1: x}\nrepr(x)`],
    ['a pickle', `import pickle\nx = []\nfor _ in range(200_000): x = [x]\npickle.dumps(x)`],
    ['a copy', `import copy\nx = []\nfor _ in range(5_000): x = [x]\ncopy.deepcopy(x)`],
    ['source code', `compile('(' * 5_000 + ')' * 5_000, 'x', 'eval')`],
    ['an expression', `eval('-' * 100_000 + '1')`],
    ['a syntax tree', `import ast; ast.parse('+'.join(['a'] * 20_000))`],
    ['a literal', `import ast; ast.literal_eval('[' * 150 + ']' * 150)`],
    ['a pattern', `import re; re.compile('(' * 20_000 + ')' * 20_000)`],
    ['calls', `def f(n): return f(n + 1)\nf(0)`],
    ['calls through C', `def f(n): return list(map(f, [n + 1]))\nf(0)`],
    ['calls of a class', `class A:\n  def __getattr__(self, n): return getattr(self, n + 'x')\nA().x`],
    ['calls of repr', `class A:\n  def __repr__(self): return repr([self])\nrepr(A())`],
    [
      'a partial',
      `import functools\nf = print\nfor _ in range(100_000): f = functools.partial(lambda g: g(), f)\nf()`,
    ],
    ['an instance check', `x = int\nfor _ in range(100_000): x = (x,)\nisinstance(1, x)`],
    ['calls through C without a limit', `${NO_LIMIT}def f(n): return list(map(f, [n + 1]))\nf(0)`],
    ['sorted keys without a limit', `${NO_LIMIT}def f(n): return sorted([1], key=f)\nf(0)`],
    [
      'attributes without a limit',
      `${NO_LIMIT}class A:\n  def __getattr__(self, n): return getattr(self, n[:9])\nA().x`,
    ],
    ['evaluations without a limit', `${NO_LIMIT}def f(): return eval('f()')\nf()`],
    ['substitutions without a limit', `${NO_LIMIT}import re\ndef f(m): return re.sub('a', f, 'a')\nf(0)`],
    ['objects without a limit', `${NO_LIMIT}class A:\n  def __init__(self): A()\nA()`],
    [
      'comparisons without a limit',
      `${NO_LIMIT}class A:\n  def __eq__(self, other): return [self] == [A()]\nA() == 1`,
    ],
    [
      'formats without a limit',
      `${NO_LIMIT}class A:\n  def __format__(self, spec): return f'{A():{spec}}'\nf'{A():x}'`,
    ],
    [
      'imports without a limit',
      `${NO_LIMIT}import functools\ndef f(a, b): return functools.reduce(f, [1, 2])\nf(0, 0)`,
    ],
    ['generators', `def g(n):\n  yield from g(n + 1)\nnext(g(0))`],
    ['garbage', `x = None\nfor _ in range(300_000): x = (x,)\ndel x`],
    [
      'garbage of a class',
      `class A: pass\nx = None\nfor _ in range(200_000):\n  y = A(); y.x = x; x = y\ndel x, y`,
    ],
  ])('ends with an exception, if at all: %s', async (_, code) => {
    const { stdout, stderr, exitCode, stopped } = await python(
      `try:\n${code.replace(/^/gm, '  ')}\nexcept (RecursionError, MemoryError, SyntaxError, OverflowError) as e: pass\nprint('alive')`,
    )
    expect([stdout.split('\n').at(-2), stderr, exitCode, stopped]).toEqual(['alive', '', 0, null])
  })
})
