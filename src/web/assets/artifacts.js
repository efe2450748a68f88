// The files that an answer presents: a card each, with a download, and the picture itself where it is one. The bytes are
// fetched with the key. Nothing is ever opened: whatever a file holds, here it is a picture or a download.

import { h } from './dom.js'
import { kindOf, nameOf, pictureType, sizeOf } from './files.js'

/** @typedef {import('./api.js').Call} Call */
/** @typedef {import('./files.js').Artifact} Artifact */

/** How long the bytes stay for the browser to take them over; it asks at once. */
const KEPT_MS = 40_000

/**
 * @param {Call} call
 * @returns {{ element: HTMLElement, show: (artifacts: readonly Artifact[]) => void }}
 */
export function createArtifacts(call) {
  const element = h('ul', { class: 'artifacts', 'aria-label': 'Files of the answer', 'aria-live': 'polite' })
  /** @type {Map<string, HTMLElement>} */
  let cards = new Map()
  /** @type {readonly Artifact[]} */
  let drawn = []
  return {
    element,
    show(artifacts) {
      if (artifacts === drawn) return
      drawn = artifacts
      cards = new Map(
        artifacts.map((artifact) => {
          const key = JSON.stringify(artifact)
          return [key, cards.get(key) ?? card(artifact, call)]
        }),
      )
      element.replaceChildren(...cards.values())
    },
  }
}

/**
 * @param {Artifact} artifact
 * @param {Call} call
 */
function card({ path, title, href, bytes }, call) {
  const name = nameOf(path)
  const about = [title === name ? null : name, kindOf(path), bytes === null ? null : sizeOf(bytes)]
  const button = h('button', { type: 'button', 'aria-label': `Download ${title}` }, 'Download')
  const problem = h('p', { class: 'why', role: 'alert' })
  const head = h(
    'div',
    { class: 'head' },
    h('strong', { dir: 'auto' }, title),
    h('span', { class: 'muted' }, about.filter((part) => part !== null).join(' · ')),
    button,
  )
  const type = pictureType(path)
  const element = h('li', { class: 'artifact' }, head, type && picture(href, type, title, call), problem)
  // Not disabled meanwhile: a button would lose the focus.
  let busy = false
  const download = async () => {
    if (busy) return
    busy = true
    const got = await bytesOf(call, href, 'application/octet-stream')
    busy = false
    problem.textContent = got.ok ? '' : `It could not be downloaded. ${got.why}`
    if (got.ok) save(got.blob, name)
  }
  button.addEventListener('click', () => void download())
  return element
}

/**
 * Fetched once it comes into sight: a long conversation may hold many.
 * @param {string} href
 * @param {string} type
 * @param {string} title
 * @param {Call} call
 */
function picture(href, type, title, call) {
  const box = h('div', { class: 'picture' }, h('span', { class: 'muted' }, 'Loading the picture…'))
  const fail = (/** @type {string} */ why) => box.replaceChildren(h('p', { class: 'why' }, why))
  const load = async () => {
    const got = await bytesOf(call, href, type)
    if (!got.ok) return fail(`The picture could not be loaded. ${got.why}`)
    const url = URL.createObjectURL(got.blob)
    const image = h('img', { alt: title })
    image.addEventListener('load', () => URL.revokeObjectURL(url))
    image.addEventListener('error', () => {
      URL.revokeObjectURL(url)
      fail('This file cannot be shown as a picture. Download it to look at it.')
    })
    image.setAttribute('src', url)
    box.replaceChildren(image)
  }
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      void load()
    },
    { rootMargin: '200px' },
  )
  seen.observe(box)
  return box
}

/**
 * @param {Call} call
 * @param {string} href
 * @param {string} type what the bytes are taken for
 * @returns {Promise<{ ok: true, blob: Blob } | { ok: false, why: string }>}
 */
async function bytesOf(call, href, type) {
  const answer = await call(href)
  if (!answer.ok) return { ok: false, why: answer.failure.detail }
  try {
    return { ok: true, blob: new Blob([await answer.value.arrayBuffer()], { type }) }
  } catch {
    return { ok: false, why: 'The connection was lost. Try it again.' }
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const url = URL.createObjectURL(blob)
  h('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
