// Guards SQLite in Python and the shell: what Python's module sqlite3 promises, on the files of the thread, within the
// limits of a command.

import { describe, expect, test } from 'vitest'

import { sh } from './bash-fixture.ts'
import { run, WORK, type Wanted } from './python-fixture.ts'

const ENDLESS = 'with recursive q(x) as (select 1 union all select x+1 from q) select count(*) from q'

async function python(stdin: string, wanted: Wanted = {}) {
  return run({ stdin, ...wanted })
}

async function printed(lines: string): Promise<string> {
  const { stdout, stderr } = await python(
    `import sqlite3\ncon = sqlite3.connect(':memory:')\ncon.execute('create table t(a integer primary key, b)')\n${lines}`,
  )
  return stdout.trim() || stderr.trim().split('\n').at(-1) || ''
}

describe("Python's sqlite3", () => {
  test.each([
    ['sqlite3.sqlite_version == con.execute("select sqlite_version()").fetchone()[0]', 'True'],
    [
      "con.execute(\"select 1 as a, 2.5, null, 'é', x'00ff'\").fetchall()",
      "[(1, 2.5, None, 'é', b'\\x00\\xff')]",
    ],
    [
      'con.execute("select ?, ?", (2**63 - 1, -2**63)).fetchone()',
      '(9223372036854775807, -9223372036854775808)',
    ],
    ['con.execute("select :a + @b", {"a": 1, "b": 2}).fetchone()', '(3,)'],
    ['con.executemany("insert into t(b) values(?)", ((n,) for n in range(1200))).rowcount', '1200'],
    ['con.execute("insert into t(b) values(1)").lastrowid, con.in_transaction', '1 True'],
    ['con.execute("select 1 as a").description[0][0]', 'a'],
    ['con.execute("select cast(0.1 + 0.2 as text)").fetchone()', "('0.3',)"],
    ['con.execute(\'select "quoted"\').fetchone()', "('quoted',)"],
    ['con.execute("insert into t(b) values(1) returning b").fetchall()', '[(1,)]'],
    ['len(con.execute("select hex(randomblob(40000))").fetchone()[0])', '80000'],
  ])('gives the values of %s', async (expression, result) => {
    expect(await printed(`print(${expression})`)).toBe(result)
  })

  test.each([
    ['con.execute("selec")', 'sqlite3.OperationalError: near "selec": syntax error'],
    [
      'con.execute("insert into t values(1, 1), (1, 1)")',
      'sqlite3.IntegrityError: UNIQUE constraint failed: t.a',
    ],
    ['con.execute("select ?", ())', /^sqlite3\.ProgrammingError: Incorrect number of bindings supplied/],
    [
      'con.execute("select 1; select 2")',
      'sqlite3.ProgrammingError: You can only execute one statement at a time.',
    ],
    ['con.execute("select ?", (2**63,))', 'OverflowError: Python int too large to convert to SQLite INTEGER'],
    [
      'con.close(); con.execute("select 1")',
      'sqlite3.ProgrammingError: Cannot operate on a closed database.',
    ],
    ['con.blobopen("t", "b", 1)', /^sqlite3\.NotSupportedError: blobopen is not available/],
    ['con.load_extension("x")', /^sqlite3\.NotSupportedError: extensions cannot be loaded/],
  ])('raises the exception of %s', async (statement, message) => {
    const line = await printed(statement)
    if (typeof message === 'string') expect(line).toBe(message)
    else expect(line).toMatch(message)
  })

  test('calls functions, aggregates, window functions and collations of Python, which may use SQLite', async () => {
    const result = await printed(`
class Sum:
    def __init__(self): self.n = 0
    def step(self, x): self.n += x
    def inverse(self, x): self.n -= x
    def value(self): return self.n
    def finalize(self): return self.n
con.executemany('insert into t(b) values(?)', [('x',), ('Y',), ('z',)])
con.create_function('double', 1, lambda x: con.execute('select ? * 2', (x,)).fetchone()[0])
con.create_aggregate('total_of', 1, Sum)
con.create_window_function('running', 1, Sum)
con.create_collation('reverse', lambda a, b: (a < b) - (a > b))
print(con.execute('select double(a) from t').fetchall(), con.execute('select total_of(a) from t').fetchone())
print(con.execute('select running(a) over (order by a rows 1 preceding) from t').fetchall())
print(con.execute('select b from t order by b collate reverse').fetchall())
con.create_function('bad', 0, lambda: 1 / 0)
try: con.execute('select bad()')
except sqlite3.OperationalError as error: print(error)`)
    expect(result).toBe(`[(2,), (4,), (6,)] (6,)
[(1,), (3,), (5,)]
[('z',), ('x',), ('Y',)]
user-defined function raised exception`)
  })

  test('binds and reads many large values between its steps', async () => {
    const result = await printed(`
con.executemany('insert into t(b) values(?)', [('x' * 1000000,), (b'y' * 1000000,)])
print([len(b) for (b,) in con.execute('select b from t')])
con.executemany('insert into t(b) values(?)', ((f'row {n}',) for n in range(5000)))
print(len(con.execute('select * from t where a > 2').fetchall()), sum(1 for _ in con.execute('select * from t limit 3000')))`)
    expect(result).toBe('[1000000, 1000000]\n5000 3000')
  })

  test('has rows by name, converters, dumps and backups', async () => {
    const result = await printed(`
con.row_factory = sqlite3.Row
row = con.execute('select 1 as a, 2 as b').fetchone()
print(row['A'], row.keys(), tuple(row))
con.row_factory = None
con.execute('insert into t values(1, ?)', ('x',)); con.commit()
copy = sqlite3.connect(':memory:', detect_types=sqlite3.PARSE_COLNAMES)
con.backup(copy)
print(list(copy.iterdump()))
sqlite3.register_converter('up', lambda value: value.decode().upper())
print(copy.execute('select b as "b [up]" from t').fetchall())`)
    expect(result).toBe(`1 ['a', 'b'] (1, 2)
['BEGIN TRANSACTION;', 'CREATE TABLE t(a integer primary key, b);', 'INSERT INTO "t" VALUES(1,\\'x\\');', 'COMMIT;']
[('X',)]`)
  })

  test('sees and changes the files of the thread, with a journal only during a transaction', async () => {
    const { stdout, changes } = await python(`
import os, sqlite3
con = sqlite3.connect('x.db')
con.execute('create table t(a)'); con.execute('insert into t values(1)')
print(con.execute('pragma journal_mode').fetchone(), sorted(os.listdir('.')))
other = sqlite3.connect('x.db', timeout=0)
try: other.execute('insert into t values(2)')
except sqlite3.OperationalError as error: print(error)
con.commit()
print(sorted(os.listdir('.')), open('x.db', 'rb').read(15))
con.execute('insert into t values(3)')
print(other.execute('select * from t').fetchall())`)
    expect(stdout).toBe(`('delete',) ['x.db', 'x.db-journal']
database is locked
['x.db'] b'SQLite format 3'
[(1,)]
`)
    expect(Object.keys(changes)).toEqual([`${WORK}/x.db`])
  })

  test('writes nothing to a database that is opened for reading, or that is in a skill', async () => {
    const { stdout } = await python(
      `
import sqlite3
sqlite3.connect('x.db').execute('create table t(a)')
for path in ('file:x.db?mode=ro', 'file:none.db?mode=ro', '/mnt/skills/public/one/new.db'):
    try: sqlite3.connect(path, uri=True).execute('create table u(a)')
    except sqlite3.OperationalError as error: print(error)`,
      { files: { '/mnt/skills/public/one/SKILL.md': 'x' } },
    )
    expect(stdout).toBe(
      'attempt to write a readonly database\nunable to open database file\nunable to open database file\n',
    )
  })

  test('ends at the limits of the job', async () => {
    const source = `import sqlite3\nprint(sqlite3.connect(':memory:').execute('${ENDLESS}').fetchone())`
    expect((await python(source, { limits: { wallMs: 400 } })).stopped).toBe('time')
    expect((await python(source, { limits: { steps: 100_000_000 } })).stopped).toBe('steps')
  })

  test('raises MemoryError when a database in memory is too large', async () => {
    const result = await printed(`
try:
    for n in range(100): con.execute('insert into t(b) values(zeroblob(1000000))')
except MemoryError: print('too much', n)`)
    expect(result).toMatch(/^too much \d+$/)
  })
})

describe("the shell's sqlite3", () => {
  test('shares databases with Python, attaches them, and reads from a pipe', async () => {
    const { out } = await sh(`printf 'a,b\n1,2\n' | sqlite3 x.db '.import --csv /dev/stdin t'
sqlite3 y.db "attach 'x.db' as x; create table u as select * from x.t"
sqlite3 y.db .dump | sqlite3 z.db; sqlite3 -json z.db 'select * from u'; ls *.db`)
    expect(out).toBe('[{"a":"1","b":"2"}]\nx.db\ny.db\nz.db\n')
  })

  test('ends at the limits of the job', async () => {
    expect((await sh(`sqlite3 :memory: '${ENDLESS}'`, { limits: { wallMs: 500 } })).stopped).toBe('time')
    expect((await sh(`sqlite3 :memory: '${ENDLESS}'`, { limits: { steps: 20_000_000 } })).stopped).toBe(
      'steps',
    )
  })
})
