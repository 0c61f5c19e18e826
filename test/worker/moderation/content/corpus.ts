/** Texts as dealers write them, by what they are; none may be refused, and profane words in names are flagged in fields of names only. */
export const INNOCENT: Record<string, readonly string[]> = {
  'places in Australia': [
    ...['Cockburn WA', 'Cockburn Central', 'Dickson ACT', 'Coonabarabran NSW', 'Coonamble NSW', 'Titterton Street'],
    ...['Burrumbuttock NSW', 'Tittybong VIC', 'Bong Bong NSW', 'Humpybong QLD', 'Yorkeys Knob QLD', 'Iron Knob SA'],
    ...['Poowong VIC', 'Pimpinio VIC', 'Mooball NSW', 'Useless Loop WA', 'Dicky Beach QLD', 'Cumnock NSW', 'Cumberland'],
    ...['Mount Buggery VIC', 'Cockatoo VIC', 'Cockle Creek NSW', 'Butts Road', 'Dyke St', 'Dyke Rd', 'Dyke Road', 'Gay Street', 'Hookers Creek NT'],
    ...['Intercourse Island WA', 'Wonglepong QLD', 'Chinkapook VIC', 'Nowhere Else SA', 'Mount Disappointment', 'Wog Wog NSW'],
    ...['Lake Cargelligo', 'Scunthorpe Close', 'Penistone Court', 'Middlesex Road', 'Sussex Inlet NSW', 'Essendon VIC'],
  ],
  'families and businesses': [
    ...['LJ Hooker', 'Dick Smith', 'Dick Johnson Racing', "Dick's Automotive", 'Cummins South Pacific', 'Fukuda Motors'],
    ...['Hancock Tyres', 'Babcock Mission', 'Cockram Motors', 'Alcock Ford', 'Woodcock Holden', 'Assange', 'Cassidy'],
    ...['Dickinson Bros', 'Wankel Workshop', 'Van Dyke Prestige', 'Butterworth', 'Shitara', 'Titmus', 'Sexton Automotive'],
    ...['Kuntz Panel Works', 'Faggs Mitre 10', 'Hooker Furniture', 'Fuchs Lubricants', 'Peacock Bros', 'Hitchcock', 'Cox Motors'],
    ...["Analdo's", 'Analdo’s Autos'],
  ],
  'numbers of businesses and parts': [
    ...['ABN 61 807 465 690', 'A.B.N. 61807465690', 'ACN 039 886 041 4x4 Centre', 'LMCT 12345', 'MRB1234', 'MD 069 234'],
    ...['Genuine Toyota filter 04152-31090 fitted', 'Oil 08880-83264', 'pads 04465-33471 replaced', '04111-0K390'],
    ...['Reg exp 04 05 2027 12 mths', 'Mazda 1300 123456 miles', 'Stock No 0412345678', 'Stock No: 1234567890'],
    ...['Stock #: 0412345678', 'Stock number 1300123456', 'Ref: 0412345678'],
    ...['T: 2400 2800 rpm', 'P: 3000 4000 rpm max', 'P: 2500 3500 kg', 'Towing T: 3500 7500', 'IMG_0412345678.jpg'],
    ...['Cat# 0412345678', 'Code# 0412345678', 'Key no: 0412345678'],
    ...['part 0412|345', 'codes 0412|345|678', 'table 0410|0412|345|678', 'a 1800 petrol engine', 'VW 1300 motors', '1800 supercars'],
  ],
  'words about cars': [
    ...['tranny rebuilt', 'retarded timing', 'sexy lines', 'gear knob', 'cockpit', 'cock-pit style dash', 'hooker headers'],
    ...['assembly, assist and assorted bolts', 'exhaust retarder', 'Scat Pack', 'paint chink', 'fag bearings', 'rapeseed'],
    ...['analogue clock', 'titanium wheels', 'bumper and boot', 'kick-ass sound system', 'screwed, not glued', 'spic and span'],
    ...['pussycat of a car', 'Part 04152-31090', 'VIC.AU delivered', '<SALE>', 'one owner.Net price', 'low kms.No accidents'],
    ...['Tyres 265/65R17 112S', 'ABN 51 824 753 556', 'peak torque 1800 - 4500 rpm', 'GVM 3050, payload 1300 kg', '0-100 < 5 s'],
    ...['The tranny has been rebuilt', 'its tranny was serviced', 'parts 0412/345, 0412_345', 'ratios 04/12/345'],
    ...['Holden FB: restored', 'Holden fb: restored', 'Ford Motor.Co.It has', '@ 19990 on Facebook', 'kms &lt; average', 'LOW KMS.NET PRICE'],
    ...['FAG wheel bearings', 'SKF and FAG hubs', 'Tranny flushed', '5-speed tranny', 'Dinette cum double bed', 'SCAT seats'],
    ...['stone chink on windscreen', 'cam retarded 4 degrees', 'DICK CEPEK tyres', 'ASS (Auto Start Stop)', 'Spic-and-span'],
    ...['IG: Sport pack', 'Tesla software 2024.8.app', 'Great car.AU delivered', '@ 5,000 rpm', '200kW @ 6000', 'Great car.Me and'],
    ...['Serviced @ Toyota', 'two great cars.me and my', '@home charging', 'TikTok: yes', 'sold @cost', 'Instagram: supported'],
    ...['<A class>', 'codes 0412, 345, 678', 'engine@idle', '2.0L @ 5000rpm', 'Serviced @northside', 'IG: black great value'],
    ...['Hooker extractors', 'Hooker mufflers', 'cock pit', 'COCK PIT style dash', '<S line> package', '<U.S. built>'],
    ...['DEMO.NET PRICE ONLY', 'SAVE THOUSANDS.NET OF GST', 'Rape-seed yellow', '@front_seats heated', 'Engine @idle_speed 800rpm'],
    ...['IG: Icon Grey metallic', 'fb: front bar replaced', 'Snapchat: blue leather', 'WeChat: chinese menu', 'Skype: video calling'],
    ...['snap: in action', '5.0 @6000rpm', 'great.deals', 'photos.deals on all cars', 'fb/front bar', 'Facebook/Instagram', 'snap: used cars'],
    ...['find us on insta for more', 'find us on Facebook Marketplace', 'the back arses up under brakes', 'room for a Shitzu', 'Shih Tzu friendly boot'],
    ...['drive.com.au Car of the Year', 'ANCAP.com.au 5 stars', 'safest ute (whichcar.com.au)'],
    ...['Tranny is smooth', 'Tranny shifts smooth', 'the tranny works well', 'kms &lt;average', '&lt;average km'],
  ],
}

/** What people write to get past moderation, in a sentence; every one is to be refused. */
export const EVASIONS: Record<string, readonly string[]> = {
  profane: [
    ...['fuck', 'fuuuuuck', 'f u c k', 'f-u-c-k', 'f*ck', 'f**k', 'f**king', 'phuck', 'fcuk', 'fvck', 'ＦＵＣＫ', 'f\u200buck'],
    ...['sh1t', 'sh*t', '5hit', '$hit', 'bullsh1t', 'c*nt', 'c u n t', 'cnut', 'wank3r', 'a$$hole', 'a55hole', 'azzhole'],
    ...['pussies', 'pu$$y', 'dickhead', 'cocksucker', 'motherfucker', 'wetback', 'spic', 'paki', 'spaz', 'poof', 'skank'],
    ...['n1gger', 'ni99er', 'kike', 'faggot', 'towel-head', 'heil hitler', 'curry muncher', 'shyt', 'f***'],
    ...['hooker', 'a hooker', 'Hooker extracts', 'hookers', 'dyke', 'a dyke on the road', 'cock', 'cock piss', 'anal', 'anal dot'],
    ...['arse', 'arses', 'you arse up', 'shit zu', 'shitz'],
    ...['a tranny', 'fag', 'cum', 'chink', 'retarded', 'scat', 'spic-and-spaz', 'a tranny is smooth', 'the tranny is great'],
  ],
  'contact details': [
    ...['0412 345 678', 'Ph.0412 345 678', 'Call Joe,0412 345 678', '(03) 9123 4567', '+61412345678', '04l2 345 678'],
    ...['1300 123 456', '1800FORCARS', 'call 13 11 26', '0412_345_678', '0412 three four five 678', 'joe@example.com'],
    ...['joe at gmail dot com', 'joe[at]gmail[dot]com', 'insta @joesautos', 'IG: joesautos', 'facebook.com/joesautos'],
    ...['joesautos.io', 'joesautos.co', 'joesautos.app', 'joesautos.melbourne', 'joesautos.cars', 'www.joesautos.cars'],
    ...['bit.ly/abc', 't.me/joe', 'wa.me/61412345678', 'hxxp://joesautos.com.au', 'mailto:joe@x.com', 'WeChat: joe123'],
    ...['0412/345/678', '0412 – 345 – 678', '0412 / 345 / 678', 'ABN 0412 345 678', 'ACN 0412 345 678'],
    ...['joesautos.co.uk', 'hxxps://dealer.xyz', 'https://dealer.xyz/x', 'rb.gy/abc', 'cutt.ly/abc', 'fb: joesautos'],
    ...['WeChat ID: joes123', '@joesautos on insta'],
    ...['joescars.xyz', 'joescars.me', 'joescars.cars', 'joescars.link', 'joescars。com。au', 'joe@joes.xyz', '@joescars'],
    ...['Instagram: joescars', 'TikTok: joescars', 'IG: @joescars', 'IG: sportscars', 'Follow us @joes', '@joes_cars', 'CARS24.AU'],
    ...['Call 04123-45678', 'ring 1300 123456 miles', 'call 04 12 2012 34', 'Stock call me 0412 345 678'],
    ...['0412, 345, 678', 'P: 98765432', 'joes.me', '@northside', 'IG: smithy great deals', 'Message us @joes'],
    ...['Stock No 0412 345 678', 'Stock 0412345678', 'Stock No call 0412345678'],
    ...['0412|345|678', '0412 | 345 | 678', '1800 forcars', '1300-joesautos', 'discord.gg/abc', 'maps.app.goo.gl/x'],
    ...['joes.deals', 'joescars.deals', 'joes.me/stock', 'find us on insta joescars', 'fb/joescars', 'snap: joescars'],
    ...['drive.com.au/joes', 'joe@drive.com.au', 'joe at drive.com.au', 'https://ancap.com.au', 'joes.ancap.com.au'],
  ],
}

/** Texts that are the whole of a field, or of its first line, which says more than the same words in a sentence. */
export const ALONE = {
  evasions: ['@northside', ' @joes ', '@joes.smith', 'joes.me', 'joes.deals'],
  innocent: ['@cost', '@home', '@ Toyota', '@19990', '@6000rpm', '@supercars', '@front_seats', 'Joes.Me', 'best.deals'],
}
