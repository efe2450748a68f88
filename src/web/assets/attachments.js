// The files that go with the next message: chosen, dropped or pasted, uploaded one after another, and taken off again. Never
// sends the message.

import { unreachable } from './api.js'
import { h } from './dom.js'
import { FILE_BYTES_MAX, nameOf, sizeOf } from './files.js'

/** Words up to this many letters stand beside the name. */
const SHORT = 24

/** @typedef {import('./api.js').Answer} Answer */
/** @typedef {import('./api.js').Failure} Failure */
/** @typedef {import('./files.js').FileInfo} FileInfo */
/** @typedef {Pick<FileInfo, 'path' | 'bytes' | 'href'>} Uploaded */
/**
 * @typedef {object} Chip
 * @property {HTMLElement} element
 * @property {'waiting' | 'uploading' | 'done' | 'failed'} state
 * @property {Uploaded | null} uploaded
 * @property {boolean} gone taken off
 * @property {boolean} sent all of its bytes have left: the server may have it
 * @property {AbortController} stop
 * @property {(state: Chip['state'], words: string) => void} say
 */

/**
 * @param {object} wiring
 * @param {HTMLElement} wiring.list
 * @param {import('./api.js').Call} wiring.call
 * @param {import('./upload.js').Upload} wiring.upload
 * @param {() => string | null} wiring.threadId of the conversation that is open; null: it is new
 * @param {(text: string) => void} wiring.onStatus
 * @param {() => void} wiring.toMessage where the focus goes when a button of a chip is gone
 */
export function createAttachments({ list, call, upload, threadId, onStatus, toMessage }) {
  /** @type {Chip[]} */
  let chips = []
  /** The thread that was made for the files of a new conversation. @type {string | null} */
  let made = null
  let line = Promise.resolve()
  /** What is under way with the server. @type {Set<Promise<void>>} */
  const works = new Set()
  let visit = 0

  /** @param {Promise<void>} work */
  function track(work) {
    works.add(work)
    void work.finally(() => works.delete(work))
    return work
  }

  function show() {
    list.replaceChildren(...chips.map(({ element }) => element))
    list.hidden = chips.length === 0
  }

  /**
   * @param {string} name
   * @param {number} bytes
   * @param {(() => void) | null} retry
   */
  function addChip(name, bytes, retry) {
    const about = h('span', { class: 'about' })
    const again = h('button', { type: 'button', 'aria-label': `Try ${name} again` }, 'Try again')
    const off = h('button', { type: 'button', class: 'off', 'aria-label': `Take off ${name}` }, '×')
    const element = h(
      'li',
      { class: 'chip' },
      h('span', { class: 'name', dir: 'auto', title: name }, name),
      about,
      again,
      off,
    )
    /** @type {Chip} */
    const chip = {
      element,
      state: 'waiting',
      uploaded: null,
      gone: false,
      sent: false,
      stop: new AbortController(),
      say(state, words) {
        chip.state = state
        element.className = `chip ${state} ${words.length > SHORT ? 'long' : ''}`
        again.hidden = state !== 'failed' || retry === null
        about.textContent = [sizeOf(bytes), words].filter(Boolean).join(' · ')
        if (state === 'failed') about.setAttribute('role', 'alert')
        else about.removeAttribute('role')
      },
    }
    again.addEventListener('click', () => {
      retry?.()
      toMessage()
    })
    off.addEventListener('click', () => void track(takeOff(chip)))
    chip.say('waiting', 'waits')
    chips.push(chip)
    show()
    return chip
  }

  /** @param {Chip} chip */
  async function takeOff(chip) {
    chip.gone = true
    // One that the server may have is deleted when its answer tells where it is.
    if (!chip.sent) chip.stop.abort()
    if (chip.uploaded) {
      chip.say('uploading', 'is taken off')
      const answer = await call(chip.uploaded.href, { method: 'DELETE' })
      if (!answer.ok && answer.failure.status !== 404) {
        chip.gone = false
        chip.say('done', `could not be taken off: ${answer.failure.detail}`)
        return
      }
    }
    chips = chips.filter((other) => other !== chip)
    show()
    onStatus('')
    toMessage()
  }

  /** @returns {Promise<{ ok: true, id: string } | { ok: false, failure: Failure }>} */
  async function home() {
    const id = threadId() ?? made
    if (id !== null) return { ok: true, id }
    const now = visit
    const answer = await call('/v1/threads', { method: 'POST', body: '{}' })
    if (!answer.ok) return answer
    /** @type {{ thread_id: string } | null} */
    const body = await answer.value.json().catch(() => null)
    if (!body) return unreachable()
    if (now === visit) made = body.thread_id
    return { ok: true, id: body.thread_id }
  }

  /**
   * @param {Chip} chip
   * @param {File} file
   */
  async function send(chip, file) {
    if (chip.gone) return
    chip.say('uploading', 'uploading')
    const thread = await home()
    if (chip.gone) return
    if (!thread.ok) return chip.say('failed', thread.failure.detail)
    const answer = await upload(
      `/v1/threads/${encodeURIComponent(thread.id)}/files`,
      file,
      (part) => {
        chip.sent = part === 1
        if (!chip.gone)
          chip.say('uploading', part === 1 ? 'is being kept' : `${Math.floor(part * 100)} % uploaded`)
      },
      chip.stop.signal,
    )
    const uploaded = answer.ok ? await firstOf(answer.value) : null
    if (chip.gone) {
      if (uploaded) await call(uploaded.href, { method: 'DELETE' })
      return
    }
    chip.uploaded = uploaded
    if (uploaded) {
      onStatus(`${file.name} is attached.`)
      return chip.say('done', '')
    }
    chip.sent = false
    chip.say('failed', answer.ok ? 'The server did not say where it is.' : answer.failure.detail)
  }

  return {
    /** @param {readonly File[]} files */
    add(files) {
      for (const file of files) {
        const start = () => {
          chip.say('waiting', 'waits')
          line = track(line.then(async () => send(chip, file)))
        }
        const large = file.size > FILE_BYTES_MAX
        const chip = addChip(file.name, file.size, large ? null : start)
        if (large) chip.say('failed', `is too large: ${sizeOf(FILE_BYTES_MAX)} are the most`)
        else start()
      }
    },
    /** @param {string} name */
    refuseFolder(name) {
      addChip(name, 0, null).say('failed', 'is a folder: attach the files in it')
    },
    /**
     * Waits for what is on its way.
     * @returns {Promise<boolean>} whether the message may go: nothing failed, and the conversation is the same
     */
    async ready() {
      const now = visit
      if (works.size > 0) onStatus('The message goes when its files are uploaded…')
      while (now === visit && works.size > 0) await Promise.all(works)
      if (now !== visit) return false
      const failed = chips.some(({ state }) => state === 'failed')
      if (failed) onStatus('Not sent: a file could not be uploaded. Try it again or take it off.')
      return !failed
    },
    /** The thread that holds them, when the conversation is still new. */
    thread: () => made,
    /** They go with a message that is sent now. */
    take() {
      const taken = chips
      chips = []
      show()
      return taken
    },
    /** @param {readonly Chip[]} taken whose message was not accepted */
    giveBack(taken) {
      chips = [...taken, ...chips]
      show()
    },
    /** Another conversation is shown. */
    reset() {
      visit++
      for (const chip of chips) {
        chip.gone = true
        chip.stop.abort()
      }
      made = null
      line = Promise.resolve()
      chips = []
      show()
    },
    /** @param {readonly Uploaded[]} files that lie in the thread already and go with the next message */
    restore(files) {
      for (const file of files) {
        const chip = addChip(nameOf(file.path), file.bytes, null)
        chip.uploaded = file
        chip.say('done', '')
      }
    },
  }
}

/**
 * @param {Response} answer
 * @returns {Promise<Uploaded | null>}
 */
async function firstOf(answer) {
  /** @type {{ data?: Uploaded[] } | null} */
  const body = await answer.json().catch(() => null)
  return body?.data?.[0] ?? null
}
