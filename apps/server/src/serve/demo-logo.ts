import { createHash } from 'node:crypto';
import type { Logo } from '@countersign/domain/clients';

/** The word "Demo", drawn for this service: a PNG of 8 colours. */
// cspell:disable
const CONTENT: Buffer = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAALgAAABABAMAAABb3KCAAAAAMFBMVEUPdm7///8ggHgafHX3+vrJ4N5KmJLc6+pbopyRwL0viYKw0tCgycbs9f',
    'RrqqZ+trHQqghoAAAACXBIWXMAAAsTAAALEwEAmpwYAAAC8UlEQVRYw+2YPWgUQRTHx1087y6JZnDPU46QE5RYJtgklZ5YiYqXQkQiRFREu00X',
    'q4vB2kSDIjYRNBYqaCNodYL2ucIm1SlaCBba2enNzL7Zmdn5iGYHm5vqzd7u7+bjvf97Mwh7bKgP/y/w2iWEULD2LfYB/4FYC77mD68h3p438o',
    'bvSeHoWd7w3QIcXc0ZPizCw1ce4WiXTzj65BO+0ycc/cwdvu3UzOcEPpA/vGe/TgI19gHHbxn9ohd41M13XSQ4HqXwcsMLPBHId37geyn8kR94',
    'tEo62/3A8cs8g1SFU3EPPMFZWtpCGH188/CCCY7rqrtEMw8+bNo3R+6Rz691DPCuIrsnZ3v9wopImL9+eO2+ZPCB3GExfqShh7dlAdhXZ3qznP',
    'Sri5NMgq5gfBYM3s6Dsj7Rw89Ijl6dTd4uJNswx5X5y2kwOLs2LmfLDHyd9PZDb5qzDrIHLf6gwP+3g0U/FnQ7Az9KehMwcD4UFDTpk3GUbZeT',
    'tyvCj2HTCd8QEC/YMmoa5PQT4sPHzmXpCm8XjXDEJoWX6Axv/6I+UHJtaIV+euj3zRShhTPnGiGrErzveS+hhx2HK1KNnGrg6C5/SGG3jp9Dor',
    'GDeS0xnxLrBrGWHUG0DhtZIWMZAngJlgCMEpclln+rdTYWFR6J4d+WJj8I8AWYFBgFPpTB9MMhh3B1JXgR4E3YDjDKfLcOsA+PsaRgldxVCV4G',
    'OBGOSDRCHkIL6WYNOJKFHDEhwLHeWEqrtVG2EdY0lzNcTtB1/Zob4M5lkUsLec3HHHDXhipFkeQtk7ED7nDFqCWXc+1sbWeBO4JILUR5hPbyT+',
    'yEW8M/ypTQoraMOeEW4dIV/6IqFp1ws+Tqjy0txcvtcGOy0B+4Nv4Kbkxz+qOikEM3sSzGBG045E7LIUQVITQY5tLCcDzP1C0tmEPW0BZF1osF',
    'teKagzlkDW05Z78SUWpFHk5ZQ1uIOi5zSJXb+ecS2us1FFygfY/794p9uLX9ASddqUB1BDAwAAAAAElFTkSuQmCC',
  ].join(''),
  'base64',
);
// cspell:enable

/** The logo of the demo client. It is re-encoded already, so that a first start needs no decoder. */
export const DEMO_LOGO: Logo = {
  id: createHash('sha256').update(CONTENT).digest('hex'),
  width: 184,
  height: 64,
  content: CONTENT,
};
