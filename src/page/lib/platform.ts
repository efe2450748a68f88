// What the page takes from the browser, passed in so that tests can give their own. Holds no state.

import { SILENCE_MS } from './limits.ts'

/** Text under a name, as localStorage keeps it; where the browser refuses (private mode, full) nothing is kept. */
export interface Store {
  get(name: string): string | null
  set(name: string, value: string): void
  remove(name: string): void
  names(): readonly string[]
}

export type Upload = (
  url: string,
  init: RequestInit | undefined,
  onPart: (part: number) => void,
  signal: AbortSignal,
) => Promise<Response>

export interface Ports {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** As `fetch`, for a body whose way is watched: `onPart` hears how much of it has left, from 0 to 1. */
  readonly upload: Upload
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Runs it before the next frame is drawn; of a page that nobody sees, soon. */
  readonly frame: (run: () => void) => void
  /** Random, for one send. */
  readonly freshKey: () => string
  /** Gone with the tab. */
  readonly tab: Store
  /** Of this browser, in all tabs. */
  readonly browser: Store
  /** Tells the other tabs. */
  readonly tell: (message: unknown) => void
  /** Hears the other tabs; answers what stops it. */
  readonly hear: (listener: (message: unknown) => void) => () => void
}

export function browserPorts(): Ports {
  const channel = new BroadcastChannel('satchel')
  return {
    fetch: async (url, init) => lively(await fetch(url, { ...init, cache: 'no-store' })),
    upload,
    now: () => Date.now(),
    wait: async (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    frame: (run) => {
      if (document.hidden) setTimeout(run, 100)
      else requestAnimationFrame(run)
    },
    // Not `randomUUID`: that is missing on plain http outside localhost.
    freshKey: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
    tab: storeOf(() => sessionStorage),
    browser: storeOf(() => localStorage),
    tell: (message) => channel.postMessage(message),
    hear: (listener) => {
      const heard = (event: MessageEvent<unknown>): void => listener(event.data)
      channel.addEventListener('message', heard)
      return () => channel.removeEventListener('message', heard)
    },
  }
}

function storeOf(storage: () => Storage): Store {
  const attempt = <T>(use: (storage: Storage) => T, otherwise: T): T => {
    try {
      return use(storage())
    } catch {
      return otherwise
    }
  }
  return {
    get: (name) => attempt((kept) => kept.getItem(name), null),
    set: (name, value) => attempt((kept) => kept.setItem(name, value), undefined),
    remove: (name) => attempt((kept) => kept.removeItem(name), undefined),
    names: () => attempt((kept) => Object.keys(kept), []),
  }
}

/** The same answer, whose stream of events breaks when it is silent for longer than the server ever is. */
function lively(response: Response): Response {
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: (controller) => arm(controller),
    transform: (chunk, controller) => {
      arm(controller)
      controller.enqueue(chunk)
    },
    flush: () => clearTimeout(timer),
  })
  function arm(controller: TransformStreamDefaultController): void {
    clearTimeout(timer)
    timer = setTimeout(() => controller.error(new Error('the line is silent')), SILENCE_MS)
  }
  return new Response(response.body.pipeThrough(watch), response)
}

/** XMLHttpRequest, because fetch does not tell how far it is. Rejects as fetch does. */
async function upload(...[url, init, onPart, signal]: Parameters<Upload>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init?.method ?? 'POST', url)
    new Headers(init?.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.responseType = 'blob'
    request.upload.addEventListener('progress', ({ loaded, total }) => onPart(total > 0 ? loaded / total : 0))
    // Loaded, failed, timed out or aborted.
    request.addEventListener('loadend', () => {
      if (request.status === 0) return reject(new TypeError('the connection was lost'))
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
      const headers = lines.flatMap((line): [string, string][] => {
        const [name = '', ...value] = line.split(': ')
        return name === '' ? [] : [[name, value.join(': ')]]
      })
      // Some statuses may have no body, and a blob of nothing is one.
      const body = request.status === 204 ? null : (request.response as Blob | null) // by responseType
      resolve(new Response(body, { status: request.status, headers }))
    })
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) return reject(new TypeError('it was stopped'))
    // The client's bodies of this kind are forms.
    request.send(init?.body instanceof FormData ? init.body : null)
  })
}
