// The view of the library.

import { lazyComponent } from '../parts/lazy.tsx'
import type { View } from './view.ts'

export const SKILLS_VIEW: View = {
  address: '#skills',
  title: () => 'Skills',
  load: ({ skills }) => void skills.ensureLoaded(),
  view: lazyComponent(async () => (await import('../library/library.ts')).LIBRARY_VIEWS.list, 8),
  link: { icon: 'skill', text: 'Skills', keywords: 'library' },
}
