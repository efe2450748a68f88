// Lists all views of the page, and finds the view of a route.

import type { PageRoute } from '../state/frame/route.ts'
import { CHAT } from './chat.tsx'
import { SKILL } from './skill.tsx'
import { SKILLS } from './skills.tsx'
import type { View } from './view.ts'

export const VIEWS: readonly View[] = [CHAT, SKILLS, SKILL]

export function viewOf({ view }: PageRoute): View {
  return VIEWS.find(({ address }) => address === view) ?? CHAT
}
