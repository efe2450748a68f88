// Browser APIs that the page uses, passed in so that tests can replace them. Holds no state.

import { SILENCE_MS } from './limits.ts'

/** Text by name, as in localStorage. If the browser refuses (private mode, full), nothing is stored. */
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
  /** Like `fetch`, with progress of the request body: `onPart` gets the sent fraction, 0 to 1. */
  readonly upload: Upload
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Runs before the next frame is drawn, or soon if the page is hidden. */
  readonly frame: (run: () => void) => void
  /** A random idempotency key for one send. */
  readonly freshKey: () => string
  /** Cleared with the tab. */
  readonly tab: Store
  /** Shared by all tabs of this browser. */
  readonly browser: Store
  /** Broadcasts to the other tabs. */
  readonly tell: (message: unknown) => void
  /** Listens to the other tabs; returns a function that stops it. */
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
    // Not `randomUUID`, which is missing on plain HTTP outside localhost.
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

/** The same response, whose stream fails when it is silent for longer than the server ever is. */
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
    timer = setTimeout(() => controller.error(new Error('the connection is silent')), SILENCE_MS)
  }
  return new Response(response.body.pipeThrough(watch), response)
}

/** Uses XMLHttpRequest, because fetch has no upload progress. Rejects as fetch does. */
async function upload(...[url, init, onPart, signal]: Parameters<Upload>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init?.method ?? 'POST', url)
    new Headers(init?.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.responseType = 'blob'
    request.upload.addEventListener('progress', ({ loaded, total }) => onPart(total > 0 ? loaded / total : 0))
    // Fires after load, error, timeout and abort.
    request.addEventListener('loadend', () => {
      if (request.status === 0) return reject(new TypeError('the connection was lost'))
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
      const headers = lines.flatMap((line): [string, string][] => {
        const [name = '', ...value] = line.split(': ')
        return name === '' ? [] : [[name, value.join(': ')]]
      })
      // Some statuses allow no body, not even an empty blob.
      const body = request.status === 204 ? null : (request.response as Blob | null) // set by responseType
      resolve(new Response(body, { status: request.status, headers }))
    })
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) return reject(new TypeError('it was stopped'))
    // The client sends only forms this way.
    request.send(init?.body instanceof FormData ? init.body : null)
  })
}
