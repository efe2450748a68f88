// The view of the tools. Its content is loaded when it is opened.

import { lazyComponent } from '../parts/lazy.tsx'
import type { View } from './view.ts'

export const TOOLS_VIEW: View = {
  address: '#tools',
  title: () => 'Tools',
  view: lazyComponent(async () => (await import('../tools/tool-groups.tsx')).ToolGroups, 8),
  link: { icon: 'tool', text: 'Tools', keywords: 'mcp servers http' },
}
