// Keeps what was checked, how often, and what did not hold.

export interface Check {
  readonly what: string
  checked: number
  readonly violations: string[]
}

export class Book {
  readonly #checks = new Map<string, Check>()

  note(what: string, where: string, wrong: string | null): void {
    const check = this.#checks.get(what) ?? { what, checked: 0, violations: [] }
    this.#checks.set(what, check)
    check.checked += 1
    if (wrong !== null) check.violations.push(`${where}: ${wrong}`)
  }

  list(): readonly Check[] {
    return [...this.#checks.values()]
  }
}
