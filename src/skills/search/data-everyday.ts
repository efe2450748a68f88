// How people put a task who do not know its name, and the words that skills have for it. Data only; the form is that of
// data-office.ts.

export const EVERYDAY = `
stutter janky choppy lag hang freeze unresponsive > performance profiling rendering optimize
takes_forever too_long wait_long slow_start sluggish > performance latency optimize
uses_too_much_memory runs_out_of_memory > memory leak profiling
falls_over goes_down went_down was_down is_down were_down outage unavailable > incident reliability resilience troubleshoot
in_trouble on_fire 3am pager > incident alert monitoring oncall
find_out_why figure_out_why what_went_wrong > debug root diagnose postmortem
keeps_failing stopped_working not_working broke > troubleshoot debug fix error
flaky sometimes_fails intermittent > flaky test debug race
strange weird odd > debug anomaly
undo go_back revert old_state > rollback restore revert
lost_files lose_data lost_data deleted_by_accident > backup recovery persistent storage
keep_safe safe_copy copies > backup
break_in break_into get_into crack > penetration security exploit
holes weak_spots loopholes > vulnerability security scanning
stolen leaked exposed_key > secret leak incident
who_can_see who_may allowed_to may_do > permission access authorization
sign_up register join > signup registration onboarding authentication
stay_signed_in logged_in > session token authentication
hide mask blur redact anonymize > redact privacy pii
prove proof evidence certify certified > audit compliance evidence certification
understand_code how_does_it_work explain_code make_sense walk_me_through > explain codebase architecture onboarding documentation
where_is_it_used who_calls go_to_definition declared > code navigation symbol reference language server
big_picture overview_of_code structure_of_code > architecture diagram codebase
draw sketch picture_of_system > diagram architecture mermaid drawing
boxes_and_arrows flow_chart flowchart who_talks_to_whom > diagram mermaid sequence
tidy neat spick cleaner_code duplicate_code copy_paste_code > refactor duplication cleanup
dead_code unused unneeded leftovers > unused cleanup dead
move_away switch_from replace_old leave_behind > migration migrate modernize
port_to rewrite_in translate_code > migration convert port
newest latest modern up_to_date > upgrade modern version
try_out experiment spike proof_of_concept > prototype poc experiment
from_scratch start_new blank > scaffold bootstrap setup template starter
write_up write_it_up > report summary
first_draft rough_version > draft outline
step_by_step one_after_another guide_me > guide tutorial walkthrough workflow plan
keep_going over_and_over every_morning each_week regularly every_night > schedule automation recurring cron
by_itself without_me hands_off on_its_own > automation autonomous agent
in_parallel at_the_same_time several_agents many_workers > parallel orchestration multi agent concurrency
fan_out divide_work split_work > parallel subagent orchestration task
talk_to_each_other send_jobs pass_messages broker > queue messaging event pubsub
tell_me_when let_me_know ping_me warn_me > alert notification monitoring
numbers figures measurements > data metric analytics statistics
numbers_at_a_glance overview_board one_screen > dashboard visualization
what_do_numbers_say make_sense_of_data look_for_patterns > data analysis exploratory insight
how_many_people_visit visitors traffic page_views > analytics tracking web
guess_the_future next_year next_month how_much_will > forecast prediction projection
spot_unusual outliers suspicious > anomaly detection fraud
group_similar clusters cluster_customers > clustering segmentation
tell_apart sort_into categories label > classification segmentation annotation
recognise recognize see_what_is_in > detection recognition vision
talk_to_my_documents ask_my_documents search_my_files own_knowledge > rag retrieval knowledge embedding
teach_model own_data our_data jargon > finetune training domain adaptation
judge_answers how_good_are_answers grade_outputs > evaluation benchmark llm
makes_things_up hallucinate wrong_answers > evaluation hallucination grounding
better_prompts ask_better > prompt engineering
smaller_model cheaper_model run_locally > quantization inference local model
hear speak_out read_aloud spoken > speech tts audio
speech_to_text what_was_said write_down_talk > transcription speech asr
record keep_audio recording > recording audio call
subtitles captions > caption subtitle video
cut_video trim_video edit_video > video editing
moving_picture transitions moves > animation motion
draw_me paint_me make_a_picture > image generation
touch_up background_removed retouch > image editing
letters typeface typefaces fonts > typography font
hues shades tints > color palette
gaps padding margins white_space > spacing layout
prettier nicer more_modern_look polish_look > design ui visual redesign
consistent_look same_look house_style > design system brand style
mock_up mockup wireframe clickable > prototype wireframe design figma
hand_off_design from_designer designer_file > figma design implement
big_screen small_screen phone_screen fits_screen > responsive mobile layout
works_everywhere every_device any_device > cross platform responsive
widgets building_blocks > component library design system
speak_in_front present_to stage audience_talk > presentation slides keynote
project_on beamer projector wall_screen > slides presentation
one_page one_pager > brief summary onepager
minutes what_was_decided action_items who_does_what > meeting notes action summary
prepare_for_meeting get_ready_for background_on > meeting prep briefing research
what_i_did yesterday done_yesterday > standup status update activity
what_happened_this_week weekly_update status_mail > status report update digest
too_many_mails mail_chaos inbox_zero > inbox triage email
say_no_politely apologize apology > email reply communication
angry_customer upset_customer unhappy > customer support complaint escalation
keep_customers customers_leave cancel_subscription > churn retention
win_back lost_customers > churn winback retention
talk_to_users ask_users what_users_want > user research interview survey
who_are_our_users target_group > persona segment audience research
who_else_does rivals others_do alternatives_to how_are_we_different > competitor competitive analysis positioning
what_to_charge how_much_to_charge > pricing strategy
what_to_build_next which_feature > roadmap prioritization product
worth_it pays_off payback > roi business case
tender bid rfp proposal > rfp proposal response
buyer purchaser buyers > customer sales procurement
close_the_deal negotiate bargain > negotiation sales deal
get_known more_visible famous awareness > marketing brand pr
go_viral more_followers > social media growth
quote_us mention_us cite_us chatgpt_mentions > ai seo citation visibility
folks_say people_say what_people_think opinions buzz > social research sentiment trend reddit
owe owed unpaid late_payment > invoice collection receivable
where_does_money_go overspend spend_too_much > cost spending budget optimization
close_the_books month_end year_end > close reconciliation accounting journal
balance_accounts do_the_books > reconciliation accounting bookkeeping
is_it_legal may_we allowed_by_law sue > legal compliance risk
dangerous risky what_could_go_wrong > risk assessment threat premortem
small_print fine_print terms_and_conditions > contract legal terms review
counsel advocate > legal attorney
fire_someone performance_talk appraisal > performance review hr
pay_rise raise_salary > compensation
find_people find_a_developer staff_up > recruiting hiring sourcing
practice_interview prepare_interview > interview prep coaching
school_paper term_paper thesis dissertation > academic writing research thesis
what_is_known state_of_knowledge prior_work > literature review research database
read_papers summarize_papers > literature paper summary
enzyme receptor antigen > protein
switched_on switched_off upregulated more_active > expression differential gene
control_group > clinical trial experiment statistics
tumor cancer oncology > cancer clinical
bacteria germs microbes > microbiome
crystals materials alloy > materials science
stars telescope galaxy > astronomy
earthquake flood wildfire > geospatial climate hazard
warehouse_robot drone > robotics simulation
messenger whatsapp telegram signal > messaging bot chat
coins wallet token > crypto blockchain payment
shop_owner sell_online web_shop > ecommerce store shopify
room table_reservation book_a_room > booking reservation
trip_plan holiday vacation_plan > travel itinerary
what_to_cook dinner > recipe meal
get_fit workout exercise > fitness health training
feel_bad stressed > wellbeing health
kids children toddler > education children
`
