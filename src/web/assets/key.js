// Where the key rests: this tab only, unless its owner asked to be remembered. It never stays in the address bar.

const NAME = 'satchel.key'

/** The key this page was opened with or keeps; null: none. A key in the fragment is taken out of the address. */
export function findKey() {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const given = fragment.get('key')
  if (given !== null) {
    fragment.delete('key')
    history.replaceState(null, '', location.pathname + (fragment.size > 0 ? `#${fragment}` : ''))
    const before = kept()
    // A link must not move somebody who is signed in to another account without a word.
    if (
      before === null ||
      before === given.trim() ||
      confirm('This link brings another key. Use it in this tab?')
    )
      keep(given.trim(), false)
  }
  return kept()
}

function kept() {
  return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME)
}

/**
 * @param {string} key
 * @param {boolean} remember past this tab
 */
export function keep(key, remember) {
  sessionStorage.setItem(NAME, key)
  if (remember) localStorage.setItem(NAME, key)
}

export function forget() {
  sessionStorage.removeItem(NAME)
  localStorage.removeItem(NAME)
}
