// Types of the messages between the Worker and the isolates that run guest code.

/** A file that a guest may open. Its bytes are fetched when it is opened. */
export interface GuestFile {
  readonly path: string /* absolute */
  readonly bytes: number
  readonly writable: boolean
}
export interface GuestLimits {
  readonly wallMs: number
  readonly steps: number
  readonly outputBytes: number
  readonly fileBytes: number /* written, all together */
  readonly files: number
  readonly heapBytes: number
}
export interface GuestJob {
  readonly id: string // for cancel()
  readonly argv: readonly string[] // as typed: ['python3', '/mnt/skills/public/x/scripts/y.py', 'in.csv'] ; ['python3', '-c', '…'] ; ['node', 'a.mjs'] ; bash: ['bash', '-c', command]
  readonly cwd: string // /mnt/user-data/workspace
  readonly env: Readonly<Record<string, string>>
  readonly stdin: Uint8Array
  readonly files: readonly GuestFile[] // the tree, without bytes
  readonly overlay: readonly GuestChange[] // changes that the calling shell has made
  readonly folders?: readonly string[] // empty folders of the calling shell
  readonly quiet?: boolean // its output is not streamed
  readonly limits: GuestLimits
}
export interface GuestChange {
  readonly path: string
  readonly bytes: Uint8Array | null /* null: removed */
}
/**
 * Why a job was stopped. `stall` means that a single shell command blocked the isolate for too long, and
 * `refused` that a command would not have behaved like the real command.
 */
export type Stopped = 'time' | 'stall' | 'refused' | 'steps' | 'output' | 'memory' | 'files' | 'cancelled'
export interface GuestResult {
  readonly exitCode: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly changes: readonly GuestChange[]
  readonly folders?: readonly string[] // empty folders
  readonly stopped: Stopped | null
  readonly steps: number
}
/** The RPC callbacks that the host provides to a job. */
export interface GuestHost {
  read(path: string): Promise<Uint8Array | null>
  progress(text: string): void // stdout/stderr as it comes, batched
  exec?(job: Omit<GuestJob, 'id' | 'files' | 'limits'>): Promise<GuestResult> // bash → python3, node
}
/** The WorkerEntrypoint of each isolate. While another job runs, `run` returns `busy` immediately. */
export interface Guest {
  run(job: GuestJob, host: GuestHost): Promise<GuestResult | { readonly busy: true }>
  cancel(id: string): Promise<void>
  ping(): Promise<void>
}
