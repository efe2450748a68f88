// The page's frame: key, thread list, skills, composer. Puts the conversation on the page; never reads frames itself.

import { createCall, listAll } from './api.js'
import { createAttachments } from './attachments.js'
import { takeChoices } from './choices.js'
import { createConversation } from './conversation.js'
import { byId } from './dom.js'
import { takeDrops } from './drop.js'
import { findKey, forget, keep } from './key.js'
import { problemBox } from './receipt.js'
import { hasEnded } from './run-state.js'
import { idea, NEW, readThreads, skillEntry, threadEntry } from './side.js'
import { createOffer } from './slash.js'
import { createUpload } from './upload.js'

/** @typedef {import('./api.js').Failure} Failure */
/** @typedef {import('./side.js').Skill} Skill */
/** @typedef {import('./side.js').Thread} Thread */

const SKILL_PAGES = 10
const IDEAS = 4

const log = byId('log', HTMLElement)
const side = byId('side', HTMLElement)
const menu = byId('menu', HTMLButtonElement)
const message = byId('message', HTMLTextAreaElement)
const chooser = byId('files', HTMLInputElement)
const sendButton = byId('send', HTMLButtonElement)
const cancelButton = byId('cancel', HTMLButtonElement)
const keyForm = byId('key-form', HTMLFormElement)
const keyInput = byId('key', HTMLInputElement)
const offer = createOffer(message, byId('offer', HTMLElement))
const title = byId('title', HTMLElement)
const status = byId('status', HTMLElement)

/** @type {ReturnType<typeof connect> | null} */
let session = null

/** @param {string} key */
function connect(key) {
  const call = createCall(key, (path, init) => fetch(path, init))
  /** @type {Thread[]} */
  let known = []
  let pages = 1
  /** @type {number | null} */
  let skillCount = null
  /** @type {string | null} */
  let current = null
  let busy = false
  let waits = false

  const conversation = createConversation({
    call,
    log,
    scroll: byId('scroll', HTMLElement),
    skillCount: () => skillCount,
    onThread: (id) => {
      current = id
      history.pushState(null, '', `#t=${encodeURIComponent(id)}`)
      void listThreads()
    },
    onRun: (state) => {
      busy = state !== null && !hasEnded(state)
      sendButton.hidden = busy
      cancelButton.hidden = !busy
      cancelButton.disabled = state?.runId === ''
      waits = state?.status === 'waiting'
      showThreads()
      if (state?.title) title.textContent = state.title
      if (state && !busy) void Promise.all([listThreads(), listSkills()])
    },
    onWaiting: (files) => attachments.restore(files),
    onStatus,
  })
  const attachments = createAttachments({
    list: byId('attached', HTMLElement),
    call,
    upload: createUpload(key),
    threadId: conversation.thread,
    onStatus,
    toMessage: () => message.focus(),
  })

  async function listThreads() {
    const page = await readThreads(call, pages)
    if (!page.ok) return page.failure
    known = page.threads
    byId('no-threads', HTMLElement).hidden = known.length > 0
    byId('more-threads', HTMLElement).hidden = !page.more
    showThreads()
    return null
  }

  function showThreads() {
    const now = known.find((thread) => thread.id === current)
    if (now || !current) title.textContent = now?.title || NEW
    document.title = current ? `${title.textContent} · Satchel` : 'Satchel'
    byId('threads', HTMLElement).replaceChildren(
      ...known.map((one) => threadEntry(one, one.id === current, waits)),
    )
  }

  async function listSkills() {
    const [page, callable] = await Promise.all([
      listAll(call, '/v1/skills', SKILL_PAGES),
      // Some are for people alone: the agent's list does not have them.
      listAll(call, '/v1/skills?for=person', SKILL_PAGES),
    ])
    if (!page.ok) return page.failure
    if (!callable.ok) return callable.failure
    // The shape of /v1/skills.
    const all = /** @type {Skill[]} */ (page.data)
    const on = all.filter((skill) => skill.enabled)
    skillCount = on.length
    offer.knows(/** @type {Skill[]} */ (callable.data))
    byId('skill-count', HTMLElement).textContent = `${on.length}${page.more ? '+' : ''}`
    const none = byId('no-skills', HTMLElement)
    none.hidden = all.length > 0
    none.textContent = 'None yet. Publish one with POST /admin/skills, or start with --skills DIR.'
    byId('skills', HTMLElement).replaceChildren(...all.map(skillEntry))
    byId('ideas', HTMLElement).replaceChildren(...on.slice(0, IDEAS).map((skill) => idea(skill, begin)))
    return null
  }

  /** @param {string | null} id */
  async function open(id) {
    current = id
    attachments.reset()
    showThreads()
    openSide(false)
    byId('welcome', HTMLElement).hidden = id !== null
    const failure = await conversation.open(id)
    if (failure) report(failure, 'This thread could not be shown')
    // On a phone, focus would bring up the keyboard over what was opened.
    if (matchMedia('(hover: hover)').matches) message.focus()
  }

  return {
    open,
    attachments,
    listThreads,
    moreThreads: () => {
      pages++
      return listThreads()
    },
    cancel: async () => {
      const failure = await conversation.cancel()
      if (failure) report(failure, 'The run could not be cancelled')
    },
    send: async () => {
      if (message.value.trim() === '' || busy || !(await attachments.ready())) return
      // A blank in front stays: it keeps a slash from calling a skill.
      const text = message.value.trimEnd()
      if (text.trim() === '' || busy) return
      byId('welcome', HTMLElement).hidden = true
      for (const box of log.querySelectorAll(':scope > .problem')) box.remove()
      message.value = ''
      fit()
      const taken = attachments.take()
      const files = taken.flatMap(({ uploaded }) => uploaded ?? [])
      const failure = await conversation.send(text, attachments.thread(), files)
      if (!failure) return
      attachments.giveBack(taken)
      report(failure, 'The message was not sent')
      message.value ||= text
      fit()
    },
    /** Reads what the frame shows; a failure here means that the key does not open this server. */
    start: async () => (await listSkills()) ?? (await listThreads()),
  }
}

/**
 * @param {Failure} failure
 * @param {string} what
 */
function report(failure, what) {
  if (failure.status === 401) askForKey(failure.detail)
  else log.append(problemBox(what, failure.detail, failure.code, failure.requestId))
}

/** @param {string} name of the skill that a first message shall use */
function begin(name) {
  message.value = `Use the ${name} skill: `
  fit()
  message.focus()
}

/** @param {string} text */
function onStatus(text) {
  status.textContent = text
}

/** The box grows with its text; the style sheet says how far. */
function fit() {
  message.style.height = 'auto'
  message.style.height = `${message.scrollHeight}px`
}

/** @param {boolean} open */
function openSide(open) {
  side.classList.toggle('open', open)
  byId('shade', HTMLElement).hidden = !open
  menu.setAttribute('aria-expanded', `${open}`)
  if (open) byId('new-thread', HTMLElement).focus()
}

/** @param {string | null} problem */
function askForKey(problem) {
  session = null
  document.body.classList.add('locked')
  byId('welcome', HTMLElement).hidden = true
  log.replaceChildren()
  for (const id of ['threads', 'skills']) byId(id, HTMLElement).replaceChildren()
  keyForm.hidden = false
  keyInput.value = ''
  const box = byId('key-problem', HTMLElement)
  box.hidden = problem === null
  box.textContent = problem
  keyInput.focus()
}

/** @param {string} key */
async function enter(key) {
  const next = connect(key)
  const failure = await next.start()
  if (failure) {
    if (failure.status === 401) forget()
    return askForKey(failure.detail)
  }
  session = next
  keyForm.hidden = true
  document.body.classList.remove('locked')
  byId('forget', HTMLElement).hidden = false
  await next.open(threadInAddress())
}

function threadInAddress() {
  return new URLSearchParams(location.hash.slice(1)).get('t')
}

keyForm.addEventListener('submit', (event) => {
  event.preventDefault()
  const key = keyInput.value.trim()
  // Anything else cannot stand in a header.
  if (!/^[\x21-\x7e]+$/.test(key)) return askForKey('A key has letters, digits and signs, and no spaces.')
  keep(key, byId('remember', HTMLInputElement).checked)
  void enter(key)
})
byId('composer', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void session?.send()
})
message.addEventListener('input', fit)
message.addEventListener('keydown', (event) => {
  if (offer.key(event)) return event.preventDefault()
  // While an input method composes a word, Enter belongs to it.
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  void session?.send()
})
byId('attach', HTMLButtonElement).addEventListener('click', () => chooser.click())
chooser.addEventListener('change', () => {
  session?.attachments.add([...(chooser.files ?? [])])
  // The same file may be chosen again.
  chooser.value = ''
  message.focus()
})
takeDrops(message, {
  isOpen: () => session !== null,
  files: (files) => session?.attachments.add(files),
  folder: (name) => session?.attachments.refuseFolder(name),
})
takeChoices(log, message, fit)
cancelButton.addEventListener('click', () => void session?.cancel())
byId('more-threads', HTMLElement).addEventListener('click', () => void session?.moreThreads())
byId('new-thread', HTMLElement).addEventListener('click', () => {
  history.pushState(null, '', location.pathname)
  void session?.open(null)
})
byId('forget', HTMLElement).addEventListener('click', () => {
  forget()
  location.reload()
})
byId('skip', HTMLElement).addEventListener('click', () => message.focus())
menu.addEventListener('click', () => openSide(!side.classList.contains('open')))
byId('shade', HTMLElement).addEventListener('click', () => openSide(false))
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !side.classList.contains('open')) return
  openSide(false)
  menu.focus()
})
addEventListener('popstate', () => {
  if (location.hash.includes('key=')) location.reload()
  else void session?.open(threadInAddress())
})

const key = findKey()
if (key) void enter(key)
else askForKey(null)
