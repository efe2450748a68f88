// The views of the library, which are loaded together.

import { SkillCatalog } from './skill-list.tsx'
import { SkillArticle } from './skill-page.tsx'

export const LIBRARY_VIEWS = { list: SkillCatalog, skill: SkillArticle }
