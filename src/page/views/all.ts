// Lists all views of the page, and finds the view of a route.

import type { PageRoute } from '../state/frame/route.ts'
import { CHAT_VIEW } from './chat.tsx'
import { INBOX_VIEW } from './inbox.tsx'
import { SKILL_VIEW } from './skill.tsx'
import { SKILLS_VIEW } from './skills.tsx'
import { TOOLS_VIEW } from './tools.tsx'
import type { View } from './view.ts'

export const VIEWS: readonly View[] = [CHAT_VIEW, INBOX_VIEW, SKILLS_VIEW, SKILL_VIEW, TOOLS_VIEW]

export function viewOf({ view }: PageRoute): View {
  return VIEWS.find(({ address }) => address === view) ?? CHAT_VIEW
}
