// DOMException, the error class of web APIs.

const CODES: Readonly<Record<string, number>> = {
  IndexSizeError: 1,
  NotFoundError: 8,
  NotSupportedError: 9,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidAccessError: 15,
  InvalidCharacterError: 5,
  TypeMismatchError: 17,
  AbortError: 20,
  QuotaExceededError: 22,
  TimeoutError: 23,
  DataCloneError: 25,
}
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

export class DOMException extends Error {
  readonly code: number

  constructor(message = '', options: string | { name?: string; cause?: unknown } = 'Error') {
    super(message)
    const name = typeof options === 'string' ? options : (options.name ?? 'Error')
    if (typeof options === 'object' && 'cause' in options)
      Object.defineProperty(this, 'cause', { value: options.cause, configurable: true })
    Object.defineProperty(this, 'name', { value: name, configurable: true })
    this.code = CODES[name] ?? 0
    Object.defineProperty(this, 'code', { enumerable: false })
  }

  get [Symbol.toStringTag](): string {
    return 'DOMException'
  }

  [inspectSymbol](): string {
    const frames = String(this.stack).split('\n').slice(1).join('\n')
    const head = `DOMException [${this.name}]: ${this.message}`
    return frames === '' ? head : `${head}\n${frames}`
  }
}
