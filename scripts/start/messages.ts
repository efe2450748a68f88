// What the supervisor and the server process say to each other. Plain data over Node's own channel.

/** Supervisor → server, first of all and once. */
export interface Start {
  readonly type: 'start'
  readonly root: string
  /** The Worker's first module, from the root. */
  readonly entry: string
  readonly port: number
  /** As wrangler's --persist-to: its own `v3` folder goes inside. */
  readonly persist: string
  readonly skills: readonly string[]
  /** Variables and secrets of the Worker. */
  readonly bindings: Readonly<Record<string, string>>
  readonly adminKey: string
}

export interface Stop {
  readonly type: 'stop'
}

/** Supervisor → server: whether an announced call may begin. */
export interface CallPermission {
  readonly type: 'call-answer'
  readonly id: number
  readonly go: boolean
}

/** Server → supervisor. */
export type ServerReport =
  | { readonly type: 'runtime'; readonly pid: number }
  | { readonly type: 'runtime-gone'; readonly pid: number; readonly how: string }
  | { readonly type: 'progress'; readonly text: string; readonly ms: number }
  /** Something went on: the silence that counts begins anew. */
  | { readonly type: 'alive' }
  | { readonly type: 'note'; readonly text: string }
  /** A call into an isolate is about to begin, which may take `ms`; it waits for the answer. */
  | { readonly type: 'call'; readonly id: number; readonly key: string; readonly ms: number }
  | { readonly type: 'call-over'; readonly id: number }
  /** The Worker serves the skills. */
  | { readonly type: 'ready' }
  /** It cannot start and ends; the message says what to fix. */
  | { readonly type: 'failed'; readonly message: string }
  /** Its workerd was killed in the middle of the start, or kept too busy to be told its skills; it ends, and may try again. */
  | { readonly type: 'broken-off'; readonly why: string }
