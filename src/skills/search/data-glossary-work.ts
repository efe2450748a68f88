// Words of office, business and everyday tasks in fourteen languages, each line behind its English. Data only.

/**
 * `english words: beginnings of words`: German, French, Spanish, Portuguese, Italian, Dutch, Russian, Polish, Chinese,
 * Japanese, Korean, Turkish, Arabic, Hindi. Accents may be left out; a beginning stands for its inflected forms.
 */
export const GLOSSARY_WORK = `
presentation slides: präsentation folien diapositive présentation presentación diapositiva apresentação presentazione presentatie презентаци слайд prezentac slajd 演示文稿 幻灯片 ppt 演示 プレゼン スライド 프레젠테이션 발표 슬라이드 sunum slayt عرض شرائح प्रस्तुति स्लाइड
poster: plakat affiche cartel póster cartaz manifesto плакат постер 海报 ポスター 포스터 afiş ملصق पोस्टर
spreadsheet excel: tabelle tabellenkalkul tableur feuille_de_calcul hoja_de_cálculo planilha foglio_di_calcolo rekenblad spreadsheet таблиц arkusz 电子表格 表格 スプレッドシート 表計算 エクセル 스프레드시트 엑셀 elektronik_tablo tablo جدول स्प्रेडशीट
document: dokument document documento документ 文档 文件 文書 ドキュメント 書類 문서 belge doküman وثيقة مستند दस्तावेज
documentation: dokumentation dokumentier documentation documentación documentar documentação documentazione documentatie документаци dokumentac 技术文档 文档编写 ドキュメンテーション 문서화 dokümantasyon توثيق दस्तावेज़ीकरण
invoice bill: rechnung facture factura fatura fattura factuur счет-фактур счет faktur 发票 账单 請求書 インボイス 청구서 송장 فاتورة चालान बिल
receipt: quittung beleg reçu recibo ricevuta scontrino bon чек квитанц paragon 收据 領収書 영수증 makbuz fiş إيصال रसीद
email: e-mail mail courriel correo correio posta e-mailbericht почт письм poczt 邮件 电子邮件 メール 이메일 메일 eposta e-posta بريد رسالة ईमेल
inbox: posteingang boîte_de_réception bandeja_de_entrada caixa_de_entrada casella postvak входящ skrzynk 收件箱 受信トレイ 받은편지함 gelen_kutusu صندوق इनबॉक्स
reply answer draft: antwort réponse répond respuesta respond resposta risposta rispond antwoord ответ odpowied 回复 返信 回答 답장 답변 yanıt cevap رد उत्तर जवाब
draft: entwurf brouillon borrador rascunho bozza concept черновик szkic 草稿 下書き 초안 taslak مسودة मसौदा
meeting: besprechung sitzung termin réunion reunión reunião riunione vergadering afspraak встреч совещан spotkan zebran 会议 開会 会議 ミーティング 打ち合わせ 회의 미팅 toplantı اجتماع बैठक मीटिंग
calendar schedule: kalender terminplan calendrier agenda calendario calendário календар kalendarz 日历 日程 カレンダー 予定 캘린더 일정 takvim تقويم कैलेंडर
schedule: planen einplan planifie programmer agendar programar pianific inplannen запланиру планир zaplanuj 安排 スケジュール 예약 planla جدولة निर्धारित
invite invitation: einlad invitation invit invitación convite uitnodig приглаш zaprosz 邀请 招待 초대 davet دعوة आमंत्र
attendees participants: teilnehmer participant asistente participante partecipant deelnemer участник uczestni 参加者 参与者 참석자 katılımcı مشارك प्रतिभागी
conversation: gespräch unterhaltung conversation conversación conversa conversazione gesprek разговор rozmow 对话 会話 대화 konuşma محادثة बातचीत
summary summarize: zusammenfass fasse_zusammen fasse résum resum resumen riassun riepilog samenvat kratk кратк резюм podsumow streszcz 总结 摘要 概括 要約 まとめ 요약 özet ملخص لخص सारांश
daily digest: täglich tagesübersicht quotidien diario diaria diário giornalier dagelijks ежедневн dzienn 每日 毎日 日報 매일 günlük يومي दैनिक
translate translation: übersetz traduc tradui traduz tradurr traduzion vertal перевед перевод przetłumacz tłumacz 翻译 翻訳 번역 çevir tercüme ترجم अनुवाद
write author: schreib écri redige rédig escrib escrev redac scriv schrijf напиш написа pisa napisz 写 撰写 编写 書い 執筆 작성 yaz اكتب كتابة लिख
text content: text texte texto testo tekst текст 文本 文章 テキスト 文章 텍스트 글 metin نص पाठ
article blog: artikel article artículo artigo articolo стать artyku 文章 博客 記事 ブログ 기사 블로그 makale مقال लेख
book: buch livre libro livro boek книг książk 书 本 책 kitap كتاب पुस्तक किताब
report: bericht rapport informe reporte relatório rapporto отчет raport 报告 レポート 報告 보고서 rapor تقرير रिपोर्ट
table: tabelle tableau tabla tabela tabella tabel таблиц 表 表格 표 tablo جدول तालिका
chart graph visualization: diagramm grafik graphique gráfic grafic grafico grafiek диаграмм график wykres 图表 可视化 グラフ チャート 可視化 차트 그래프 시각화 grafik رسم_بياني चार्ट ग्राफ
image picture photo: bild foto image photo imagen imagem immagine afbeelding изображен картинк фото obraz zdjęci 图片 图像 照片 画像 写真 이미지 사진 resim görsel صورة छवि चित्र तस्वीर
video: video vidéo vídeo видео wideo film 视频 動画 ビデオ 영상 동영상 비디오 فيديو वीडियो
audio speech voice: ton sprach audio voix voz voce stem geluid аудио голос dźwięk głos 音频 语音 音声 음성 오디오 ses صوت आवाज ऑडियो
music: musik musique música musica muziek музык muzyk 音乐 音楽 음악 müzik موسيقى संगीत
podcast: podcast подкаст 播客 ポッドキャスト 팟캐스트 بودكاست पॉडकास्ट
transcript transcribe: transkri abschrift transcri trascri транскри расшифров transkryp 转录 文字起こし 전사 녹취 deşifre تفريغ प्रतिलेख
question questionnaire: frage question pregunta pergunta domanda vraag вопрос pytani 问题 質問 질문 soru سؤال प्रश्न सवाल
questionnaire survey: fragebogen umfrage questionnaire sondage cuestionario encuesta questionário pesquisa_de questionario sondaggio vragenlijst enquête опрос анкет ankiet 问卷 调查问卷 アンケート 설문 anket استبيان सर्वेक्षण प्रश्नावली
decision: entscheid décision decisión decisão decision beslissing решени decyzj 决定 决策 決定 意思決定 결정 karar قرار निर्णय
plan planning: plan planung planifi plano piano pianifica план planow 计划 规划 計画 계획 خطة योजना
strategy: strategie stratégie estrategia estratégia strategia стратег 战略 策略 戦略 전략 strateji استراتيجية रणनीति
idea brainstorm: idee idée idea ideia ideeën иде pomysł 创意 想法 头脑风暴 アイデア 아이디어 fikir فكرة विचार
goal objective: ziel objectif objetivo obiettivo doel цель цел cel 目标 目標 목표 hedef هدف लक्ष्य
task todo: aufgabe tâche tarea tarefa compito attività taak задач zadani 任务 タスク 課題 작업 과제 görev مهمة कार्य
complex: komplex complexe complejo complexo complesso сложн złożon 复杂 複雑 복잡 karmaşık معقد जटिल
project: projekt projet proyecto projeto progetto проект 项目 プロジェクト 프로젝트 proje مشروع परियोजना
priority prioritize triage: priorit prioridad prioridade приоритет priorytet 优先 優先 우선순위 öncelik أولوية प्राथमिकता
notification alert: benachrichtig notification notificación notificacion alerta notificação notifica melding уведомлен powiadomi 通知 提醒 알림 bildirim إشعار تنبيه सूचना
reminder: erinner rappel recordatorio lembrete promemoria herinner напомин przypomn 提醒 リマインダー 알림 hatırlat تذكير अनुस्मारक
message chat: nachricht message mensaje mensagem messaggi bericht сообщен wiadomo 消息 聊天 メッセージ チャット 메시지 채팅 mesaj sohbet رسالة دردشة संदेश
customer client: kunde kunden client cliente klant клиент klient 客户 顾客 顧客 고객 müşteri عميل زبون ग्राहक
prospect lead customer: interessent potenzielle_kunden prospect prospecto prospet потенциальн 潜在客户 見込み客 リード 잠재고객 리드 potansiyel_müşteri محتمل संभावित
sales: verkauf vertrieb vente ventas venta vendas vendite verkoop продаж sprzeda 销售 営業 販売 영업 판매 satış مبيعات बिक्री
deal opportunity pipeline: geschäft affaire oportunidad oportunidade opportunit сделк 商机 商談 거래 fırsat صفقة सौदा
phone call: telefon anruf appel téléphone llamada telefono ligação chiamat telefono bellen звон телефон zadzwo 电话 电話 電話 전화 telefon ara هاتف مكالمة फोन कॉल
contact person: kontakt ansprechpartner contact contacto contato contatt contactpersoon контакт 联系人 連絡先 연락처 kişi جهة_اتصال संपर्क
marketing campaign: marketing werbung kampagne campagne campaña marketing publicité publicidad publicidade campanha campagna reclame advertent маркетинг реклам kampani reklam 营销 市场营销 广告 マーケティング 広告 마케팅 광고 pazarlama تسويق إعلان विपणन विज्ञापन
market: markt marché mercado mercato рынок рынк rynek rynk 市场 市場 시장 pazar سوق बाज़ार
competitor: wettbewerb konkurren concurren competidor competencia concorren concorrent конкурент 竞争对手 竞品 競合 경쟁사 rakip منافس प्रतियोगी
keyword: schlüsselwort suchbegriff keyword mot-clé mots-clés palabra_clave palavra-chave parola_chiave parole_chiave zoekwoord trefwoord ключев słow_klucz 关键词 キーワード 키워드 anahtar_kelime كلمة_مفتاحية कीवर्ड
search: such recherche buscar busca búsqueda pesquis ricerc cerca zoek поиск найти найд szuk wyszuk 搜索 查找 検索 검색 ara بحث खोज
search seo: suchmaschine moteur_de_recherche référencement posicionamiento buscador motor_de_busca motore_di_ricerca zoekmachine поисков оптимизация_сайта 搜索引擎 検索エンジン 검색엔진 arama_motoru محرك_بحث
page website: seite webseite website site page página pagina sito страниц сайт stron witryn 网页 网站 页面 ページ サイト ウェブサイト 페이지 웹사이트 웹 sayfa site صفحة موقع पृष्ठ वेबसाइट
conversion: konversion conversion conversión conversão conversione конверси konwersj 转化 コンバージョン 전환 dönüşüm تحويل रूपांतरण
landing homepage: startseite page_d'accueil página_inicial página_de_inicio home_page главн 首页 落地页 ランディング 랜딩 açılış_sayfası
price pricing: preis prix precio preço prezzo prijs цен cen 价格 定价 価格 料金 가격 fiyat سعر मूल्य कीमत
subscription paywall upgrade: abonnement bezahlschranke abo suscripción assinatura abbonament подписк subskryp 订阅 付费 サブスク 課金 구독 abonelik اشتراك सदस्यता
pay payment: zahlung bezahl paiement payer pago pagar pagamento pagare betal оплат платеж platno płatno 支付 付款 支払 決済 결제 지불 ödeme دفع भुगतान
free: kostenlos gratuit gratuito gratis бесплатн darmow 免费 無料 무료 ücretsiz مجاني मुफ्त
shop store ecommerce: laden geschäft onlineshop boutique magasin tienda loja negozio winkel магазин sklep 商店 电商 ショップ 店舗 쇼핑몰 상점 mağaza متجر दुकान
order: bestell commande pedido encomenda ordine bestell заказ zamówien 订单 注文 주문 sipariş طلب आदेश
product: produkt produit producto produto prodotto продукт товар 产品 商品 製品 제품 상품 ürün منتج उत्पाद
money finance financial: geld finanz argent financi dinero dinheiro denaro geld деньг финанс pieniąd finans 财务 金融 资金 財務 お金 재무 금융 para finans مال मालي مالية वित्त पैसा
cost: kosten coût costo costes coste custo costo kosten стоимост расход затрат koszt 成本 费用 コスト 費用 비용 maliyet تكلفة تكاليف लागत
reduce save optimization: senke reduzier spar réduire économis reducir ahorrar reduzir ridurre risparmi verlaag bespaar сниз сократ эконом obniż zmniejsz oszczęd 降低 节省 削減 節約 절감 줄이 azalt düşür خفض تقليل कम
budget: budget haushalt presupuesto orçamento bilancio begroting бюджет 预算 予算 예산 bütçe ميزانية बजट
tax: steuer impôt fiscal impuesto imposto tassa tasse belasting налог podat 税 税务 報税 税金 確定申告 세금 vergi ضريبة ضرائب कर टैक्स
accounting: buchhalt steuerberater comptab contab contador commercialista boekhoud бухгалтер księgow 会计 会計 経理 회계 muhasebe محاسب लेखा
fund etf: fonds fondo fundo fonds фонд fundusz 基金 ファンド 펀드 fon صندوق फंड
stock investment: aktie anlage invest action bourse acción inversión ação investimento azione aandeel belegg акци инвест akcj inwest 股票 投资 株 投資 주식 투자 hisse yatırım سهم استثمار निवेश शेयर
risk: risiko risque riesgo risco rischio риск ryzyk 风险 リスク 위험 risk مخاطر जोखिम
return yield: rendite rendement rendimiento rendimento доходност zwrot 收益 リターン 수익률 getiri عائد
credit bond: kredit anleihe crédit obligation crédito bono credito obbligazion krediet obligatie кредит облигац kredyt obligacj 信用 信贷 债券 信用 債券 신용 채권 kredi tahvil ائتمان سند ऋण
company: firma unternehmen entreprise société empresa azienda società bedrijf компани фирм firm przedsiębior 公司 企业 会社 企業 회사 기업 şirket شركة कंपनी
startup: startup jungunternehmen start-up стартап 初创 创业 スタートアップ 스타트업 girişim ناشئة स्टार्टअप
market sizing: marktgröße marktomvang taille_du_marché tamaño_del_mercado tamanho_do_mercado dimensione_del_mercato объем_рынка 市场规模 市場規模 시장규모 pazar_büyüklüğü
forecast projection: prognose vorhersage prévision pronóstico previsión previsão previsione prognose прогноз prognoz 预测 予測 예측 tahmin توقع पूर्वानुमान
board executive: vorstand aufsichtsrat geschäftsleitung conseil_d'administration direction junta_directiva dirección diretoria consiglio_di_amministrazione bestuur directie правлени директор zarząd 董事会 高管 取締役 経営陣 이사회 경영진 yönetim_kurulu مجلس_إدارة बोर्ड
employee team: mitarbeiter team employé équipe empleado equipo funcionário equipe dipendente squadra medewerker сотрудник команд pracowni zespół 员工 团队 社員 チーム 직원 팀 çalışan ekip موظف فريق कर्मचारी टीम
hiring recruiting job: einstell bewerb stelle recrut embauche emploi contrat reclut empleo contratación recrut vaga assun lavoro sollicit vacature вакансi ваканс собеседован rekrut prac 招聘 求职 采用 採用 求人 채용 구인 işe_alım iş توظيف وظيفة भर्ती नौकरी
resume cv: lebenslauf curriculum currículum currículo резюме życiorys 简历 履歴書 이력서 özgeçmiş سيرة_ذاتية
contract legal: vertrag recht contrat juridique contrato jurídico contratto legale contract juridisch договор контракт юрид umow prawn 合同 法律 契約 法務 계약 법률 sözleşme hukuk عقد قانون अनुबंध कानून
privacy gdpr: datenschutz dsgvo confidentialité vie_privée rgpd privacidad privacidade riservatezza конфиденциальн персональн prywatno 隐私 数据保护 プライバシー 個人情報 개인정보 gizlilik خصوصية गोपनीयता
compliance regulatory: vorschrift richtlinie konformit conformité réglement cumplimiento normativ conformidade conformità naleving соответств регулятор zgodno 合规 法规 規制 コンプライアンス 규정 uyum امتثال अनुपालन
audit review: prüf überprüf audit vérifi auditor revis auditoria verific controll controle проверь проверк аудит sprawdź audyt 审计 审查 检查 監査 レビュー 審査 감사 검토 denetim تدقيق مراجعة समीक्षा
improve optimize: verbesser optimier amélior optimis mejor optimiz melhor otimiz miglior ottimizz verbeter optimaliseer улучш оптимиз popraw ulepsz 优化 改进 改善 最適化 개선 최적화 iyileştir optimize تحسين सुधार
quality: qualität qualité calidad qualidade qualità kwaliteit качеств jakoś 质量 品質 품질 kalite جودة गुणवत्ता
analyze analysis: analys analyse analizar análisis analisar análise analizz анализ przeanaliz 分析 解析 분석 analiz تحليل حلل विश्लेषण
research study: forschung untersuch recherche étude investig estudio pesquis estudo ricerc studio onderzoek исследован badani 研究 调研 調査 研究 연구 조사 araştırma بحث दراسة शोध अनुसंधान
scientific science: wissenschaft scientifi científic scientific wetenschap научн nauk 科学 学术 科学 学術 과학 bilim علمي वैज्ञानिक विज्ञान
literature citation: literatur zitat littérature citation literatura citación cita citação citaz literatuur литератур цитат 文献 引用 문헌 인용 kaynak atıf مراجع
data: daten donnée datos dado dati gegevens данн dan 数据 データ 데이터 veri بيانات डेटा
story narrative storytelling: geschichte erzähl histoire récit historia relato história narrativa storia racconto verhaal истори рассказ opowieś histori 故事 叙事 ストーリー 物語 이야기 스토리 hikaye قصة कहानी
compelling convincing persuasive: überzeug convainc convincent convincente overtuig убедит przekonuj 说服 有说服力 説得 설득 ikna مقنع
health medical clinical: gesundheit medizin klinisch santé médical clinique salud médic clínic saúde salute clinic gezondheid medisch здоров медицин клинич zdrow medycz klinicz 医疗 临床 健康 医療 臨床 健康 의료 임상 건강 sağlık tıbbi klinik صحة طبي स्वास्थ्य चिकित्सा
patient: patient paciente paziente пациент pacjent 患者 환자 hasta مريض मरीज रोगी
drug: medikament arznei médicament medicamento farmaco farmac geneesmiddel лекарств lek 药物 薬 医薬 약물 ilaç دواء दवा
protein: protein protéine proteína proteina eiwit белок белк białk 蛋白质 タンパク質 단백질 بروتين प्रोटीन
gene genome genomic: gen genom gène génome génomique genoma genómic ген геном 基因 基因组 遺伝子 ゲノム 유전자 게놈 gen genom جين जीन
cell: zelle cellule célula cellula cel клетк komór 细胞 細胞 세포 hücre خلية कोशिका
sequencing rna: sequenzier séquençage secuencia sequencia sequenziament секвенир sekwencjon 测序 シーケンシング 시퀀싱 dizileme تسلسل
chemistry molecule: chemie molekül chimie molécule químic molécula chimica molecola scheikund хими молекул chemi cząstecz 化学 分子 化学 分子 화학 분자 kimya molekül كيمياء रसायन
teach education learning: unterricht lehr lern enseign apprend éducation enseñ aprend educación ensin educação insegn impar onderwijs leer обучен учеб uczy naucz eduk 教育 教学 学习 教育 学習 교육 학습 eğitim öğren تعليم تعلم शिक्षा सीख
personal own: eigen persönlich personnel personal propio pessoal personale persoonlijk личн собствен osobist 个人 個人 개인 kişisel شخصي व्यक्तिगत
feedback constructive: rückmeld feedback konstruktiv retour constructif retroaliment constructiv construtiv costruttiv terugkoppeling конструктивн отзыв обратн konstruktywn 反馈 建设性 フィードバック 建設的 피드백 건설적 geri_bildirim بناء प्रतिक्रिया
critical challenge: kritisch hinterfrag critique crític sfida kritisch критич krytycz 批判 质疑 批判 비판 eleştir نقد आलोचना
handoff transfer: übergabe übergeb transfert passation traspaso entrega transferência consegna overdracht передач przekaz 交接 移交 引き継ぎ 인수인계 devir تسليم हस्तांतरण
dash hyphen: gedankenstrich bindestrich tiret trait_d'union guion raya travessão hífen trattin koppelteken streepje тире дефис myślnik łącznik 破折号 连字符 ダッシュ ハイフン 대시 하이픈 tire شرطة
replace remove: ersetz entfern remplac supprim reemplaz elimin substitu remov sostitu rimuov vervang verwijder замен удал zastąp zamień usuń 替换 删除 移除 置換 削除 교체 삭제 değiştir sil استبدل حذف बदल हटा
extract read: auslesen extrahier extraire extra lire extraer leer extrair ler estra leggere uitlees извлеч прочита wyodrębn odczyt 提取 读取 抽出 読み取 추출 읽 çıkar oku استخراج قراءة निकाल पढ़
merge combine: zusammenführ fusion combiner combinar unir fundir unire combin samenvoeg объедин połącz scal 合并 结合 結合 マージ 병합 결합 birleştir دمج मिला
convert: umwandl konvertier convert convertir converter converti omzetten преобраз конверт konwert przekształ 转换 変換 변환 dönüştür تحويل बदल
compare: vergleich compar confront vergelijk сравн porówn 比较 对比 比較 비교 karşılaştır مقارنة तुलना
share sharing: teilen geteilt partag compart condivi delen gedeeld поделит общий udostępni wspóln 分享 共享 共有 공유 paylaş مشارك साझा
camera: kamera caméra cámara câmera telecamera fotocamera камер 摄像头 相机 カメラ 카메라 كاميرا कैमरा
person people: person personne persona pessoa persoon человек люд osob ludzi 人员 人物 人物 사람 kişi insan شخص व्यक्ति लोग
detect recognize: erkenn wiedererkenn détect reconna detect reconoc reconhec riconosc rilev herken распозна обнаруж wykry rozpozna 检测 识别 検出 認識 감지 인식 algıla tanı كشف تعرف पहचान
social media post: soziale_medien beitrag médias_sociaux réseaux_sociaux redes_sociales publicación redes_sociais postagem social_media соцсет социальн społecznościow 社交媒体 帖子 ソーシャル 投稿 소셜 게시물 sosyal_medya gönderi وسائل_التواصل منشور सोशल पोस्ट
map geospatial: landkarte karte carte_géo mapa mappa landkaart карт 地图 地図 지도 harita خريطة नक्शा
threat risk: bedroh menace amenaza ameaça minacci dreiging угроз zagroże 威胁 脅威 위협 tehdit تهديد खतरा
evaluation evaluate: bewert evaluier évalu evalu valut beoordeel оцен ocen 评估 评价 評価 평가 değerlendir تقييم मूल्यांकन
voice call record: aufnahme aufzeichn enregistr grab registr opname запис nagr 录音 录制 録音 録画 녹음 녹화 kaydet kayıt تسجيل रिकॉर्ड
template: vorlage modèle gabarit plantilla modelo sjabloon шаблон szablon 模板 テンプレート 템플릿 şablon قالب टेम्पलेट
city: stadt städte ville ciudad cidade città stad город miast 城市 都市 도시 şehir مدينة शहर
travel trip: reise voyage viaje viagem viaggio reis путешеств поезд podróż 旅行 旅游 여행 seyahat gezi سفر यात्रा
food recipe: rezept essen recette nourriture cuisine receta comida receita ricetta cibo recept eten рецепт еда еды przepis jedzeni 食谱 菜谱 食物 レシピ 料理 레시피 요리 tarif yemek وصفة طعام व्यंजन खाना
weather: wetter météo clima tiempo tempo meteo weer погод pogod 天气 天気 날씨 hava طقس मौसम
game: spiel jeu juego jogo gioco spel игр gr 游戏 ゲーム 게임 oyun لعبة खेल गेम
multiplayer: mehrspieler multijoueur multijugador multijogador multigiocatore мультиплеер многопользоват wieloosob 多人 マルチプレイ 멀티플레이 çok_oyunculu متعددة_اللاعبين
accessibility: barrierefrei accessibilité accesib acessib accessibilit toegankelijk доступност dostępno 无障碍 アクセシビリティ 접근성 erişilebilir إمكانية_الوصول सुगम्यता
color contrast: farb kontrast couleur contraste color cor colore kleur цвет контраст kolor kontrast 颜色 对比度 色 コントラスト 색상 대비 renk kontrast لون रंग
design layout: gestalt entwurf conception diseño concepción desenho projet progett ontwerp дизайн проектир projekt 设计 デザイン 設計 디자인 설계 tasarım تصميم डिज़ाइन
support helpdesk: kundendienst soporte suporte assistenza ondersteun поддержк wsparci 支持 客服 サポート 지원 destek دعم सहायता
incident emergency: vorfall störung notfall incidente incident emergencia emergência inciden noodgeval инцидент авари incydent 事故 事件 故障 インシデント 障害 사고 장애 olay acil حادث घटना
`
