/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the measured page: observers that start before its scripts, and a stream written frame by frame. Each
// function is self-contained, because its source is sent to the browser.

interface PageObservations {
  /** ms after the start of navigation; null if not yet. */
  readyMs: number | null
  paintMs: number
  /** Durations of key events above 16 ms, in steps of 8 ms. */
  readonly keys: number[]
  readonly longTasks: number[]
  /** Number of pieces of the stream that are not sent yet. */
  piecesLeft: number
}

declare global {
  interface Window {
    satchelObservations: PageObservations
  }
}

export function watchPage(): void {
  const observations: PageObservations = {
    readyMs: null,
    paintMs: 0,
    keys: [],
    longTasks: [],
    piecesLeft: -1,
  }
  window.satchelObservations = observations
  const checkReady = (): void => {
    if (observations.readyMs === null && document.getElementById('message'))
      observations.readyMs = performance.now()
  }
  new MutationObserver(checkReady).observe(document, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) observations.paintMs = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) observations.longTasks.push(entry.duration)
  }).observe({ type: 'longtask' })
  const events: PerformanceObserverInit & { readonly durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (/^key|^input|^beforeinput/.test(entry.name)) observations.keys.push(entry.duration)
  }).observe(events)
}

/** Streams these pieces as the chat's answer, one per frame. */
export function streamPieces({
  pieces,
  headers,
}: {
  pieces: readonly string[]
  headers: [string, string][]
}): void {
  const realFetch = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const address = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
    if (init?.method !== 'POST' || !address.endsWith('/v1/chat')) return realFetch(input, init)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        let at = 0
        const write = (): void => {
          controller.enqueue(new TextEncoder().encode(pieces[at]))
          at += 1
          window.satchelObservations.piecesLeft = pieces.length - at
          if (at < pieces.length) requestAnimationFrame(write)
        }
        requestAnimationFrame(write)
      },
    })
    return new Response(body, { headers })
  }
}
