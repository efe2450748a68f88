// The browser APIs that the page's stores use, passed in so that tests can replace them.

import { STREAM_SILENCE_MAX_MS } from './limits.ts'
import { beforeNextFrame } from './next-frame.ts'

/** Strings by name, as in localStorage. If the browser refuses (private mode, storage full), nothing is stored. */
export interface Store {
  get(name: string): string | null
  set(name: string, value: string): void
  remove(name: string): void
  names(): readonly string[]
}

export type Upload = (
  url: string,
  init: RequestInit | undefined,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<Response>

/** The browser's notifications. */
export interface Notifications {
  permission(): NotificationPermission
  /** Asks the user. Browsers allow this only after a press. */
  ask(): Promise<NotificationPermission>
  /** Shows a notification in place of an earlier one with the same tag. Throws if this browser cannot, as on Android. */
  show(title: string, body: string, tag: string, onPress: () => void): void
}

export interface Ports {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** Like `fetch`, but reports upload progress: `onProgress` receives the fraction of the body that was sent, from 0 to 1. */
  readonly upload: Upload
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Runs an update before a frame is drawn, as next-frame.ts describes. */
  readonly beforeNextFrame: (run: () => void) => void
  /** Returns a new random idempotency key. */
  readonly newSendKey: () => string
  /** Values of this tab, deleted when it closes. */
  readonly tab: Store
  /** Values shared by all tabs of this browser. */
  readonly browser: Store
  /** Null if the browser has none. */
  readonly notifications: Notifications | null
  /** Sends a message to the other tabs. */
  readonly broadcast: (message: unknown) => void
  /** Listens for messages from the other tabs; returns a function that stops listening. */
  readonly onBroadcast: (listener: (message: unknown) => void) => () => void
}

export function browserPorts(): Ports {
  const channel = new BroadcastChannel('satchel')
  return {
    fetch: async (url, init) => failWhenSilent(await fetch(url, { ...init, cache: 'no-store' })),
    upload,
    now: () => Date.now(),
    wait: async (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    beforeNextFrame,
    // Browsers offer `randomUUID` only over HTTPS and on localhost.
    newSendKey: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
    tab: storeOf(() => sessionStorage),
    browser: storeOf(() => localStorage),
    notifications: 'Notification' in globalThis ? browserNotifications() : null,
    broadcast: (message) => channel.postMessage(message),
    onBroadcast: (listener) => {
      const onMessage = (event: MessageEvent<unknown>): void => listener(event.data)
      channel.addEventListener('message', onMessage)
      return () => channel.removeEventListener('message', onMessage)
    },
  }
}

function browserNotifications(): Notifications {
  return {
    permission: () => Notification.permission,
    ask: async () => Notification.requestPermission(),
    show(title, body, tag, onPress) {
      const notification = new Notification(title, { body, tag, icon: '/icon.svg' })
      notification.addEventListener('click', () => {
        window.focus()
        notification.close()
        onPress()
      })
    },
  }
}

function storeOf(storage: () => Storage): Store {
  const tryStorage = <T>(action: (storage: Storage) => T, fallback: T): T => {
    try {
      return action(storage())
    } catch {
      return fallback
    }
  }
  return {
    get: (name) => tryStorage((storage) => storage.getItem(name), null),
    set: (name, value) => tryStorage((storage) => storage.setItem(name, value), undefined),
    remove: (name) => tryStorage((storage) => storage.removeItem(name), undefined),
    names: () => tryStorage((storage) => Object.keys(storage), []),
  }
}

/** Makes an event stream fail after STREAM_SILENCE_MAX_MS without data. Returns other responses unchanged. */
function failWhenSilent(response: Response): Response {
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response
  let timer: ReturnType<typeof setTimeout> | undefined
  const monitor = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: (controller) => restartTimer(controller),
    transform: (chunk, controller) => {
      restartTimer(controller)
      controller.enqueue(chunk)
    },
    flush: () => clearTimeout(timer),
  })
  function restartTimer(controller: TransformStreamDefaultController): void {
    clearTimeout(timer)
    timer = setTimeout(() => controller.error(new Error('the connection is silent')), STREAM_SILENCE_MAX_MS)
  }
  return new Response(response.body.pipeThrough(monitor), response)
}

/** Uses XMLHttpRequest, because fetch reports no upload progress. Rejects in the same cases as fetch. */
async function upload(...[url, init, onProgress, signal]: Parameters<Upload>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init?.method ?? 'POST', url)
    new Headers(init?.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.responseType = 'blob'
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    )
    // This event follows load, error, timeout and abort.
    request.addEventListener('loadend', () => {
      if (request.status === 0) return reject(new TypeError('the connection was lost'))
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
      const headers = lines.flatMap((line): [string, string][] => {
        const [name = '', ...value] = line.split(': ')
        return name === '' ? [] : [[name, value.join(': ')]]
      })
      // A response with status 204 allows no body, not even an empty blob.
      const body = request.status === 204 ? null : (request.response as Blob | null) // safe: responseType is 'blob'
      resolve(new Response(body, { status: request.status, headers }))
    })
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) return reject(new TypeError('the upload was cancelled'))
    // The client uses this function only for forms.
    request.send(init?.body instanceof FormData ? init.body : null)
  })
}
