// A failure in words for people, with the one thing that helps. Pure.

import type { ClientFailure } from '../../client/types.ts'

export interface Trouble {
  readonly title: string
  readonly detail: string
  /** For whoever is asked for help; '' where there is nothing to quote. */
  readonly marks: string
  /** `again`: the same once more; `key`: another key; `new`: a new thread; null: nothing that a button does. */
  readonly help: 'again' | 'key' | 'new' | null
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
    const detail =
      failure.kind === 'unreachable' ? 'The server could not be reached. Is it running?' : failure.detail
    return { title, detail, marks: '', help: 'again' }
  }
  const { code, detail, errors = [], request_id: request, status } = failure.problem
  const lines = [detail, ...errors.map((error) => `${error.path}: ${error.message}`)]
  const marks = [code, request && `request ${request}`].filter(Boolean).join(' · ')
  const mendable = status >= 500 || status === 429 || status === 409
  return { title, detail: lines.join('\n'), marks, help: HELP[code] ?? (mendable ? 'again' : null) }
}
