// Evaluates the conditions of requirements (PEP 508) for the Python of the sandbox.

/** The values of the variables that conditions name. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  python_version: '3.13',
  python_full_version: '3.13.2',
  implementation_version: '3.13.2',
  implementation_name: 'cpython',
  platform_python_implementation: 'CPython',
  os_name: 'posix',
  sys_platform: 'emscripten',
  platform_system: 'Emscripten',
  platform_machine: 'wasm32',
  platform_release: '',
  platform_version: '',
}
const TOKEN = /\s*(\(|\)|"[^"]*"|'[^']*'|===|==|~=|!=|<=|>=|<|>|[A-Za-z_][\w.]*)/y

/** Whether the condition holds for this extra; null if it is not valid. An empty extra means none. */
export function evaluateMarker(marker: string, extra: string): boolean | null {
  const tokens = tokensOf(marker)
  if (!tokens) return null
  const reader = new Reader(tokens, { ...ENVIRONMENT, extra })
  const value = reader.or()
  return reader.isAtEnd ? value : null
}

function tokensOf(text: string): readonly string[] | null {
  const tokens: string[] = []
  const trimmed = text.trimEnd()
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < trimmed.length;) {
    const [, token] = TOKEN.exec(trimmed) ?? []
    if (token === undefined) return null
    tokens.push(token)
  }
  return tokens
}

class Reader {
  readonly #tokens: readonly string[]
  readonly #environment: Readonly<Record<string, string>>
  #at = 0

  constructor(tokens: readonly string[], environment: Readonly<Record<string, string>>) {
    this.#tokens = tokens
    this.#environment = environment
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  or(): boolean | null {
    let value = this.#and()
    while (this.#takes('or')) value = combined(value, this.#and(), (a, b) => a || b)
    return value
  }

  #and(): boolean | null {
    let value = this.#comparison()
    while (this.#takes('and')) value = combined(value, this.#comparison(), (a, b) => a && b)
    return value
  }

  #comparison(): boolean | null {
    if (this.#takes('(')) {
      const value = this.or()
      return this.#takes(')') ? value : null
    }
    const left = this.#value()
    const operator = this.#operator()
    const right = this.#value()
    return left === null || right === null ? null : compare(left, operator, right)
  }

  #operator(): string {
    const token = this.#tokens[this.#at] ?? ''
    this.#at += 1
    if (token !== 'not') return token
    this.#at += 1
    return 'not in'
  }

  #value(): { readonly text: string; readonly isVersion: boolean } | null {
    const token = this.#tokens[this.#at]
    this.#at += 1
    if (token === undefined) return null
    if (/^["']/.test(token)) return { text: token.slice(1, -1), isVersion: false }
    const text = Object.hasOwn(this.#environment, token) ? this.#environment[token] : undefined
    return text === undefined ? null : { text, isVersion: token.endsWith('_version') }
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at += 1
    return true
  }
}

function combined(
  a: boolean | null,
  b: boolean | null,
  combine: (a: boolean, b: boolean) => boolean,
): boolean | null {
  return a === null || b === null ? null : combine(a, b)
}

interface MarkerValue {
  readonly text: string
  readonly isVersion: boolean
}

function compare(left: MarkerValue, operator: string, right: MarkerValue): boolean | null {
  if (operator === 'in') return right.text.includes(left.text)
  if (operator === 'not in') return !right.text.includes(left.text)
  if (!left.isVersion && !right.isVersion) {
    if (operator === '==' || operator === '===') return left.text === right.text
    if (operator === '!=') return left.text !== right.text
    // Texts that are not versions have no order.
    return ['<', '<=', '>', '>=', '~='].includes(operator) ? false : null
  }
  const wildcard = right.text.endsWith('.*')
  const [a, b] = [numbersOf(left.text), numbersOf(right.text.replace(/\.\*$/, ''))]
  const order = orderOf(wildcard ? a.slice(0, b.length) : a, b)
  if (operator === '==' || operator === '===') return order === 0
  if (operator === '!=') return order !== 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  if (operator === '~=') return order >= 0 && orderOf(a.slice(0, b.length - 1), b.slice(0, -1)) === 0
  return null
}

function numbersOf(version: string): readonly number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0)
}

function orderOf(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
