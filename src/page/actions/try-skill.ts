// Opens a new thread with the skill's command in the message box.

import { useApp } from '../state/app.ts'
import { focusSoon } from './listen-to-keys.ts'
import { threadRoute } from '../state/frame/route.ts'
import { invocationText, type ListedSkill } from '../state/library/skills.ts'

export function useTrySkill(): (skill: Pick<ListedSkill, 'name' | 'callable'>) => void {
  const { composer, route } = useApp()
  return (skill) => {
    route.go(threadRoute(null))
    composer.fill(invocationText(skill))
    focusSoon('message')
  }
}
