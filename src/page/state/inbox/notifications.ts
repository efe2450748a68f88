// Notifies the user outside the page of calls that wait, if the user switched that on in this browser. Asks for permission only
// when it is switched on.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import { counted } from '../../../lib/counted.ts'
import type { Ports } from '../../lib/platform.ts'
import type { Threads } from '../threads/threads.ts'

export interface Notifier {
  /** Whether this browser has notifications. */
  readonly isAvailable: boolean
  readonly isOn: ReadonlySignal<boolean>
  /** Why the notifications could not be switched on, or ''. */
  readonly problem: ReadonlySignal<string>
  /** Call this when the user presses the switch, because browsers ask for permission only then. */
  switchTo(on: boolean): Promise<void>
}

const STORAGE_NAME = 'satchel.notify'
/** The tag of the notification that confirms the switch. */
const SWITCH_TAG = 'satchel'
const BLOCKED = 'This browser blocks notifications from this page. Allow them in the browser’s settings.'
const UNABLE = 'This browser cannot show notifications from a page.'

export interface NotifierWiring {
  readonly ports: Pick<Ports, 'browser' | 'notifications'>
  readonly approvals: Threads['approvals']
  readonly document: Pick<Document, 'hidden' | 'hasFocus'>
  readonly onPress: () => void
}

export function createNotifier({
  ports: { browser, notifications },
  approvals,
  document,
  onPress,
}: NotifierWiring): Notifier {
  const isOn = signal(browser.get(STORAGE_NAME) === 'on' && notifications?.permission() === 'granted')
  const problem = signal('')
  /** The digests of the calls that were listed last; null before the first list of an account. */
  let known: ReadonlySet<string> | null = null

  function show(body: string, tag: string): boolean {
    try {
      notifications?.show('Satchel', body, tag, onPress)
      return true
    } catch {
      return false
    }
  }

  effect(() => {
    const calls = approvals.value
    const added = calls?.filter(({ digest }) => known && !known.has(digest)) ?? []
    known = calls && new Set(calls.map(({ digest }) => digest))
    const isSeen = !document.hidden && document.hasFocus()
    if (added.length === 0 || isSeen || !isOn.peek()) return
    untracked(() =>
      show(
        added.length === 1
          ? `Approve the call to ${added[0]?.name}?`
          : `${counted(added.length, 'call')} need your approval`,
        // Tabs that notify of the same call show one notification.
        added.at(-1)?.digest ?? SWITCH_TAG,
      ),
    )
  })

  return {
    isAvailable: notifications !== null,
    isOn,
    problem,
    async switchTo(on) {
      problem.value = ''
      if (!on) {
        isOn.value = false
        browser.remove(STORAGE_NAME)
        return
      }
      if (!notifications || (await notifications.ask()) !== 'granted') {
        problem.value = BLOCKED
        return
      }
      if (!show('You will be notified here when a call needs your approval.', SWITCH_TAG)) {
        problem.value = UNABLE
        return
      }
      isOn.value = true
      browser.set(STORAGE_NAME, 'on')
    },
  }
}
