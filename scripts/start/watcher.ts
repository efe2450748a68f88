// Implements the Worker's binding WATCHER: reports the start and end of announced calls into isolates to the supervisor,
// and returns its permissions. Only the Worker can reach this binding, because it has no port.

import type { CallPermission, ServerReport } from './messages.ts'

export class CallWatcher {
  readonly #report: (message: ServerReport) => void
  readonly #pending = new Map<number, (go: boolean) => void>()
  #lastId = 0

  constructor(report: (message: ServerReport) => void) {
    this.#report = report
  }

  /** `POST /calls` with `{key, ms}` → `{id, go}`; `DELETE /calls/<id>` → 204; 400 for anything else. */
  async fetch(request: {
    readonly method: string
    readonly url: string
    text(): Promise<string>
  }): Promise<Response> {
    if (request.method === 'DELETE') {
      this.#report({ type: 'call-over', id: Number(new URL(request.url).pathname.split('/')[2]) })
      return new Response(null, { status: 204 })
    }
    const call = readCall(await request.text())
    if (!call) return new Response(null, { status: 400 })
    const id = ++this.#lastId
    const permission = new Promise<boolean>((resolve) => this.#pending.set(id, resolve))
    this.#report({ type: 'call', id, ...call })
    return Response.json({ id, go: await permission })
  }

  receive({ id, go }: CallPermission): void {
    this.#pending.get(id)?.(go)
    this.#pending.delete(id)
  }
}

/** The call that src/lib/deadlines.ts sends; null if it is invalid. */
function readCall(text: string): { readonly key: string; readonly ms: number } | null {
  try {
    const call: unknown = JSON.parse(text)
    if (typeof call !== 'object' || call === null || !('key' in call) || !('ms' in call)) return null
    const { key, ms } = call
    return typeof key === 'string' && typeof ms === 'number' && ms >= 0 ? { key, ms } : null
  } catch {
    return null
  }
}
