// Types of the messages between the supervisor and the server process, which are sent over Node's IPC channel.

/** Supervisor → server: the first message, sent once. */
export interface StartMessage {
  readonly type: 'start'
  readonly root: string
  /** The Worker's entry module, relative to the root. */
  readonly entry: string
  readonly port: number
  /** The folder for stored data, as in wrangler's --persist-to; it will contain `v3`. */
  readonly persist: string
  readonly skills: readonly string[]
  /** Variables and secrets of the Worker. */
  readonly bindings: Readonly<Record<string, string>>
  readonly adminKey: string
  /** The port of workerd's inspector, or undefined for none. */
  readonly inspectorPort?: number
}

export interface StopMessage {
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
  /** The server process is active; its silence is measured from this message on. */
  | { readonly type: 'alive' }
  | { readonly type: 'note'; readonly text: string }
  /** A call into an isolate with a time limit of `ms` is about to begin; it waits for permission. */
  | { readonly type: 'call'; readonly id: number; readonly key: string; readonly ms: number }
  | { readonly type: 'call-over'; readonly id: number }
  /** The Worker serves the skills. */
  | { readonly type: 'ready' }
  /** The server process cannot start, and ends. The message says what to fix. */
  | { readonly type: 'failed'; readonly message: string }
  /**
   * The server process ends, because its workerd was killed during the start or was too busy to register the
   * skills. It may be started again.
   */
  | { readonly type: 'broken-off'; readonly why: string }
