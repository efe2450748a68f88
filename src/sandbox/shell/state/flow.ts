// Errors that leave a command early. Each is caught by the construct that it refers to.

/** Thrown by `break` and `continue`. `levels` is the number of loops to leave. */
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

/** Thrown to end the shell. */
export class ExitFlow extends Error {
  readonly status: number
  constructor(status: number) {
    super('exit')
    this.status = status
  }
}

/** An expansion failed: the rest of the line is skipped. The message has already been written. */
export class LineFlow extends Error {
  readonly status: number
  /** The exit code of a subshell `( … )` that it ends. */
  readonly subshellStatus: number
  constructor(status = 1, subshellStatus = status) {
    super('line')
    this.status = status
    this.subshellStatus = subshellStatus
  }
}

/** A command failed. The message has no prefix yet. */
export class CommandError extends Error {
  readonly status: number
  constructor(message: string, status = 1) {
    super(message)
    this.status = status
  }
}

/** The expansion of a word failed. Commands must not treat it as their own failure. */
export class ExpansionError extends CommandError {}

/** The assignment of `${name:=word}` failed. */
export class FailedAssignment extends ExpansionError {}
