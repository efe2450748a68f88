// One file on its way to a thread. XMLHttpRequest, because fetch does not tell how far it is; failures are values as in api.js.

import { answerOf, unreachable } from './api.js'

/** @typedef {import('./api.js').Answer} Answer */
/** @typedef {(path: string, file: File, onPart: (part: number) => void, signal: AbortSignal) => Promise<Answer>} Upload */

/**
 * @param {string} key
 * @returns {Upload} `onPart` hears how much of it is sent, from 0 to 1
 */
export function createUpload(key) {
  return async (path, file, onPart, signal) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      const form = new FormData()
      form.append('file', file)
      request.open('POST', path)
      request.setRequestHeader('authorization', `Bearer ${key}`)
      request.responseType = 'blob'
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onPart(total > 0 ? loaded / total : 0),
      )
      // Loaded, failed, timed out or aborted.
      request.addEventListener('loadend', () => {
        if (request.status === 0) return resolve(unreachable())
        const headers = new Headers()
        for (const name of ['retry-after', 'x-request-id']) {
          const value = request.getResponseHeader(name)
          if (value !== null) headers.set(name, value)
        }
        resolve(answerOf(new Response(request.response, { status: request.status, headers })))
      })
      signal.addEventListener('abort', () => request.abort())
      request.send(form)
    })
}
