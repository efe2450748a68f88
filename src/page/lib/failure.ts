// A failure in words for people, with the one thing that helps. Asks the browser whether there is a network, and nothing else.

import type { ClientFailure } from '../../client/types.ts'

export interface Trouble {
  readonly title: string
  readonly detail: string
  /** For whoever is asked for help; '' where there is nothing to quote. */
  readonly marks: string
  /** `again`: the same once more; `key`: another key; `new`: a new thread; null: nothing that a button does. */
  readonly help: 'again' | 'key' | 'new' | null
  /** Nobody was reached: it may go when the server is. */
  readonly unreached?: true
}

const HELP: Readonly<Record<string, Trouble['help']>> = {
  unauthorized: 'key',
  forbidden: 'key',
  not_found: 'new',
  gone: 'new',
  context_overflow: 'new',
  thread_deleted: 'new',
}

export function trouble(title: string, failure: ClientFailure): Trouble {
  if (failure.kind !== 'problem') {
    if (failure.kind !== 'unreachable') return { title, detail: failure.detail, marks: '', help: 'again' }
    const detail =
      navigator.onLine === false ? 'You are offline.' : 'The server could not be reached. Is it running?'
    return { title, detail, marks: '', help: 'again', unreached: true }
  }
  const { code, detail, errors = [], request_id: request, status } = failure.problem
  const lines = [detail, ...errors.map((error) => `${error.path}: ${error.message}`)]
  const marks = [code, request && `request ${request}`].filter(Boolean).join(' · ')
  const mendable = status >= 500 || status === 429 || status === 409
  return { title, detail: lines.join('\n'), marks, help: HELP[code] ?? (mendable ? 'again' : null) }
}
