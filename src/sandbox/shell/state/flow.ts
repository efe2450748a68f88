// How control leaves a command before its end. Thrown, and caught by what it names.

/** `break` and `continue`; `levels` loops are left. */
export class LoopFlow extends Error {
  readonly kind: 'break' | 'continue'
  levels: number
  constructor(kind: 'break' | 'continue', levels: number) {
    super(kind)
    this.kind = kind
    this.levels = levels
  }
}

export class ReturnFlow extends Error {
  readonly status: number
  constructor(status: number) {
    super('return')
    this.status = status
  }
}

/** Ends the shell. */
export class ExitFlow extends Error {
  readonly status: number
  constructor(status: number) {
    super('exit')
    this.status = status
  }
}

/** An expansion failed: the rest of the line is skipped. The message was written. */
export class LineFlow extends Error {
  readonly status: number
  /** The exit code of `( … )` that it ends. */
  readonly subshellStatus: number
  constructor(status = 1, subshellStatus = status) {
    super('line')
    this.status = status
    this.subshellStatus = subshellStatus
  }
}

/** A command fails with a message, which has no prefix yet. */
export class CommandError extends Error {
  readonly status: number
  constructor(message: string, status = 1) {
    super(message)
    this.status = status
  }
}

/** The expansion of a word fails: no command takes this as its own failure. */
export class ExpansionError extends CommandError {}

/** `${name:=word}` cannot assign. */
export class FailedAssignment extends ExpansionError {}
