// Small parts of `sqlite3`: switches, alternatives to missing commands, and the context of errors.

/** Thrown to end the session with this exit code. */
export class Quit extends Error {
  override readonly name = 'Quit'
  readonly exitCode: number
  constructor(exitCode: number) {
    super('quit')
    this.exitCode = exitCode
  }
}

/** Alternatives to dot commands that are missing here. */
export const INSTEAD: Readonly<Record<string, string>> = {
  backup: 'VACUUM INTO, or cp of the file',
  save: 'VACUUM INTO',
  clone: 'VACUUM INTO',
  shell: 'the command outside of sqlite3',
  system: 'the command outside of sqlite3',
  help: 'the names in docs: .mode .headers .separator .tables .schema .import .dump .read .output .once .nullvalue .indexes',
  show: '.mode and .headers, which set it',
  parameter: 'values in the SQL, or python3 with its module sqlite3',
  fullschema: '.schema',
  excel: '.mode csv and .once FILE.csv',
  cd: 'cd before sqlite3',
}

export function isOn(word: string | undefined): boolean {
  return /^(?:on|yes|true|[1-9]\d*)$/i.test(word ?? '')
}

/** The line that contains an error, with a marker below it. */
export function contextOf(sql: string, offset: number): string {
  const before = sql.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  const line = sql.slice(start).split('\n')[0] ?? ''
  const column = offset - start
  return `  ${line}\n  ${column < 25 ? `${' '.repeat(column)}^--- error here` : `${' '.repeat(column - 14)}error here ---^`}\n`
}
