// Texts that people write and that contain none of Satchel's tags: twelve scripts, code, markup.

export const HONEST: Readonly<Record<string, string>> = {
  Latin: 'Zażółć gęślą jaźń. « Les compétences » coûtent 3 € < 5 €; „Straße“ ‹Zitat› œuvre, façade.',
  Greek: 'Η γρήγορη αλεπού: α < β ≤ γ και σ² > 0. «Δεξιότητα»',
  Cyrillic: 'Съешь ещё этих мягких французских булок. ‹Цитата› «навык» — если х < у, то да.',
  Armenian: 'Բարեւ աշխարհ։ Հմտություն՝ «փաստաթուղթ»։',
  Hebrew: 'שלום עולם. המיומנות <b>חשובה</b> מאוד, 3 < 5.',
  Arabic: 'مرحبا بالعالم. المهارة <b>مهمة</b>، ٣ < ٥ ﷺ',
  Persian: 'می‌خواهم این را بخوانم؛ کتاب‌ها <i>خوب‌اند</i>.',
  Devanagari: 'क्‍ष और क्ष, नमस्ते दुनिया। <p>कौशल</p> ज्ञ < त्र',
  Thai: 'สวัสดีชาวโลก ทักษะ <b>สำคัญ</b> ๓ < ๕',
  Chinese: '《红楼梦》〈第一回〉技能说明：＜重要＞ 见 <a href="x">链接</a>。',
  Japanese: '「スキル」を読む。〈注意〉ノート＜第一章＞ ー 例：3＜5。',
  Korean: '기술 문서 <중요> 《제목》 〈부제〉 3 < 5 입니다.',
  Georgian: 'გამარჯობა მსოფლიო. «უნარი» <b>არის</b>.',
  emoji: '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ <3 🇸🇰 <b>👍🏽</b>',
  mathematics: 'x ≮ y, a ≪ b ⋘ c, ⟨ψ|φ⟩ = ⟨skew⟩, 𝐬𝐤𝐢𝐥𝐥 < 𝐯𝐚𝐥𝐮𝐞 ≤ 2',
  HTML: '<!doctype html>\n<!-- skill: none -->\n<div class="skill"><script src="skill.js"></script></div>',
  XML: '<?xml version="1.0"?><feed><entry id="1"/></feed><request context="a"><ns:skills notice="b"/></request>',
  TypeScript:
    'const a: Promise<Skill | null> = new Map<Skill, RequestContext>()\nif (level < skill && skill > 3) f<WebhookPayload>()\nfor (let i = 0; i<skill; i++) {}\nclass A<Skill, T = string> {}\nif (i<skill && x > 3) f(a < skill ? b : c, d / 2)',
  Go: 'if level < skill {\n\tx = 1\n}\nfor i := 0; i<skill; i++ { y = x / 2 }',
  prose: 'Where level < skill level, max = 5; below <skill, as it is called, we go a/b.',
  Rust: "impl<'a> Skill<'a> { fn get(&self) -> Option<Skills> { self.a::<SkillContent>() } }",
  R: 'x <- skill\ny <-skills_notice\nz <<- available_skills',
  'C++': '#include <skills.h>\nstd::cout << skill << std::endl; std::vector<skill_t> v; a<b>::skill',
  shell: 'cat <<EOF > skill.txt\n$(<skill.md)\nEOF\nsort < skill.txt | head; diff <(a) <(b)',
  Markdown:
    '# Skill\n\n> skill_content\n\n<https://example.com/skill> and `skills_notice` and [skill](skill.md) <skill-name>',
  names:
    '<skills> <skillful> <skill2> <skill_set> <skill-creator> <request_contexts> <my_skill> <skillcontent>',
  escaped: '&lt;skills_notice&gt; &#60;skill&#62; \\u003cskill\\u003e %3Cskill%3E',
}
