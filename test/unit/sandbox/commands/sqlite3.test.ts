// Guards the command `sqlite3`: it prints what the real one prints, or refuses; and files change when it ends.

import { describe, expect, it } from 'vitest'

import { sqlite3 } from '../../../../src/sandbox/commands/sqlite3/sqlite3.ts'
import { floatText } from '../../../../src/sandbox/commands/sqlite3/literals.ts'
import { ran } from './in-memory.ts'
import { SQLITE_CASES, SQLITE_FILES } from './sqlite3.cases.ts'
import { describeTable } from './table.ts'

describeTable('sqlite3', SQLITE_CASES, SQLITE_FILES)

describe('a database in a file', () => {
  it('is written when the command ends, without its journal', async () => {
    const { files, exitCode, stderr } = await ran(sqlite3, 'sqlite3', [
      'x.db',
      'create table t(a); insert into t values(1)',
    ])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect([...files.keys()]).toEqual(['/x.db'])
    expect(files.get('/x.db')).toMatch(/^SQLite format 3/)
  })

  it('loses uncommitted changes', async () => {
    const script = 'create table t(a); begin; insert into t values(1);'
    const { files } = await ran(sqlite3, 'sqlite3', ['x.db'], script)
    expect(files.get('/x.db')).toContain('CREATE TABLE t(a)')
    expect([...files.keys()]).toEqual(['/x.db'])
  })

  it('is not created if there is nothing to do', async () => {
    expect((await ran(sqlite3, 'sqlite3', ['x.db'])).files.size).toBe(0)
  })

  it('that is invalid is an error', async () => {
    const { exitCode, stderr } = await ran(sqlite3, 'sqlite3', ['/t.txt', 'select * from t'], '', {
      '/t.txt': 'x'.repeat(200),
    })
    expect([exitCode, stderr]).toEqual([26, 'Error: in prepare, file is not a database (26)\n'])
  })

  it('receives the output of .once, and the file keeps it', async () => {
    const { files, stdout } = await ran(sqlite3, 'sqlite3', [], '.once o.csv\nselect 1;\nselect 2;\n')
    expect([files.get('o.csv'), stdout]).toEqual(['1\n', '2\n'])
  })
})

describe('a float', () => {
  it.each([
    [0.1, '0.1'],
    [1, '1.0'],
    [1e16, '10000000000000000.0'],
    [1e20, '1.0e+20'],
    [2.5e-7, '2.5e-07'],
    [0.0001, '0.0001'],
    [-123.456, '-123.456'],
    [Infinity, '1e999'],
  ])('in SQL and JSON has the shortest digits: %s', (value, text) => {
    expect(floatText(value)).toBe(text)
  })
})
