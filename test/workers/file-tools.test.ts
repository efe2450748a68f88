// Guards "a clear result that the model can act on, and nothing half done" over the real file tree, rows and store,
// with the table of test/unit/tools/writing.test.ts.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, it } from 'vitest'
import type { FileChange, ToolResult } from '../../src/agent/tool.ts'
import type { FileQuotas } from '../../src/files/quota.ts'
import { FILES_TABLES } from '../../src/files/schema.ts'
import { statements } from '../../src/lib/tables.ts'
import { r2Files } from '../../src/files/store.ts'
import { FileTree } from '../../src/files/tree.ts'
import { fileAccess } from '../../src/files/tree-access.ts'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { ok } from '../../src/lib/result.ts'
import { BUILTINS } from '../../src/tools/builtins.ts'
import { play, SITUATIONS, type Stage } from '../fakes/writing-cases.ts'
import { toolContext } from '../fakes/tool-context.ts'

const store = r2Files(env.FILES)
let objects = 0

class Real implements Stage {
  readonly #tree: FileTree
  #quotas: FileQuotas = { max_files: 10, max_file_bytes: 20_000_000, max_thread_bytes: 50_000_000 }

  constructor(sql: SqlStorage, prefix: string) {
    sql.exec(`DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS objects; ${statements(FILES_TABLES)}`)
    this.#tree = new FileTree(sql, prefix)
  }

  #write(changes: readonly FileChange[], origin: 'upload' | 'tool'): ReturnType<FileTree['apply']> {
    return this.#tree.apply(changes, this.#quotas, origin, 1)
  }

  async put(path: string, content: string | Uint8Array<ArrayBuffer>, known: boolean): Promise<void> {
    const bytes = typeof content === 'string' ? utf8(content) : content
    const body = await this.#tree.storeBody(bytes, await sha256Hex(bytes), store, token, 1)
    const written = this.#write([{ path, body }], known ? 'tool' : 'upload')
    if (!written.ok) throw new Error(written.error.detail)
  }

  fill(): void {
    this.#quotas = { ...this.#quotas, max_files: this.#tree.list().length }
  }

  async call(name: string, input: object): Promise<ToolResult> {
    const untrusted = {
      store,
      now: () => 1,
      newToken: token,
      quotas: async () => ok(this.#quotas),
      reserveSpace: async () => ok(null),
    }
    const context = toolContext({ files: fileAccess(this.#tree, untrusted) })
    const tool = BUILTINS.find(({ spec }) => spec.name === name)?.make(context)
    if (!tool) throw new Error(`no tool ${name}`)
    const { signal } = new AbortController()
    const call = { runId: 'r', toolUseId: 't', idempotencyKey: 'r:t', signal, progress: () => {} }
    const result = await tool.run(input, call)
    const written = this.#write(result.changes ?? [], 'tool')
    if (!written.ok) throw new Error(written.error.detail)
    return result
  }

  state(): readonly string[] {
    return this.#tree.list().map(({ path, sha256 }) => `${path} ${sha256}`)
  }
}

function token(): string {
  return `t${++objects}`
}

describe('a tool that writes, shows or views files', () => {
  for (const [what, situation] of Object.entries(SITUATIONS))
    it(`on ${what} says what to do`, () =>
      runInDurableObject(env.THREADS.getByName('file tools'), async (_, { storage }) =>
        play(async () => new Real(storage.sql, 'file-tools/'), situation),
      ))
})
