// Describes a failure for users, with the one action that may help. Reads only whether the browser is online.

import type { ClientFailure } from '../../client/types.ts'

export interface Trouble {
  readonly title: string
  readonly detail: string
  /** Codes to quote when asking for support, or '' if there are none. */
  readonly supportCodes: string
  /** `again`: repeat the request; `key`: enter another key; `new`: start a new thread; null if no action helps. */
  readonly remedy: 'again' | 'key' | 'new' | null
  /** The request did not reach the server and may succeed later. */
  readonly unreached?: true
}

const REMEDIES: Readonly<Record<string, Trouble['remedy']>> = {
  unauthorized: 'key',
  forbidden: 'key',
  not_found: 'new',
  gone: 'new',
  context_overflow: 'new',
  thread_deleted: 'new',
}

export function describeFailure(title: string, failure: ClientFailure): Trouble {
  if (failure.kind !== 'problem') {
    if (failure.kind !== 'unreachable')
      return { title, detail: failure.detail, supportCodes: '', remedy: 'again' }
    const detail =
      navigator.onLine === false ? 'You are offline.' : 'The server could not be reached. Is it running?'
    return { title, detail, supportCodes: '', remedy: 'again', unreached: true }
  }
  const { code, detail, errors = [], request_id: request, status } = failure.problem
  const lines = [detail, ...errors.map((error) => `${error.path}: ${error.message}`)]
  const supportCodes = [code, request && `request ${request}`].filter(Boolean).join(' · ')
  const canRetry = status >= 500 || status === 429 || status === 409
  return {
    title,
    detail: lines.join('\n'),
    supportCodes,
    remedy: REMEDIES[code] ?? (canRetry ? 'again' : null),
  }
}
