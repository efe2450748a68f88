// Limits the steps of the libraries: they cannot yield, and a page may make them run without end.

import { HTML_STEPS_SLICE } from './limits.ts'
import { OutOfTime } from '../common/pace.ts'
import * as libraries from './libraries.ts'

interface Controls {
  arm(first: number, slow: () => number, rest: () => Promise<void>): void
}

// scripts/assets/html.ts adds it to the libraries' own exports.
const { stepControls } = libraries as unknown as { readonly stepControls: Controls }

const UNCOUNTED = 1_000_000_000
const NO_REST = async (): Promise<void> => {}
/** Characters that can be joined and matched by a pattern or two in the time of one step. */
const CHARS_OF_A_STEP = 10

let left = UNCOUNTED

/**
 * Returns the result of `work`. Throws OutOfTime after `steps` steps, or after `ends` by the clock. `work` is
 * synchronous.
 */
export function withinSteps<T>(steps: number, ends: number, work: () => T): T {
  left = steps
  stepControls.arm(
    HTML_STEPS_SLICE,
    () => {
      left -= HTML_STEPS_SLICE
      if (left <= 0 || performance.now() > ends) throw new OutOfTime()
      return HTML_STEPS_SLICE
    },
    NO_REST,
  )
  try {
    return work()
  } finally {
    left = UNCOUNTED
    stepControls.arm(UNCOUNTED, () => UNCOUNTED, NO_REST)
  }
}

/**
 * Also counts `textContent` by its length: the libraries read it again and again, for each ancestor of a text.
 * `element`: any element of the library.
 */
export function countTexts(element: object): void {
  let owner: object | null = element
  while (owner !== null && !Object.hasOwn(owner, 'textContent'))
    owner = Object.getPrototypeOf(owner) as object | null // this type is correct
  const own = owner && Object.getOwnPropertyDescriptor(owner, 'textContent')
  if (!owner || !own?.get) throw new Error('linkedom has no textContent where it is expected')
  Object.defineProperty(owner, 'textContent', {
    ...own,
    get(this: object) {
      const text: unknown = own.get?.call(this)
      if (typeof text === 'string') left -= text.length / CHARS_OF_A_STEP
      if (left <= 0) throw new OutOfTime()
      return text
    },
  })
}
