// The view of the inbox: every call that waits for the user, in all threads. Its content is loaded when it is opened.

import { lazyComponent } from '../parts/lazy.tsx'
import { INBOX_ADDRESS } from '../state/frame/route.ts'
import type { View } from './view.ts'

export const INBOX_VIEW: View = {
  address: INBOX_ADDRESS,
  title: () => 'Needs you',
  load: ({ threads }) => void threads.refresh(),
  view: lazyComponent(async () => (await import('../inbox/inbox-list.tsx')).InboxList, 4),
  link: {
    icon: 'inbox',
    text: 'Needs you',
    isAbove: true,
    keywords: 'inbox approvals',
    count: ({ inbox }) => inbox.count.value,
  },
}
