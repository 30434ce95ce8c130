import type { FC } from 'hono/jsx';
import type { MessageKey, Translate } from './messages.ts';

/** A character that no text and no name has. */
const MARK = '\uffff';

/** A text with a typed value in it, which `<bdi>` keeps from reordering the words around it. */
export const WithName: FC<{ t: Translate; text: MessageKey; name: string; value: string }> = (props) => {
  const { t, text, name, value } = props;
  const [before, ...after] = t(text, { [name]: MARK }).split(MARK);
  return (
    <>
      {before}
      <bdi>{value}</bdi>
      {after.join(value)}
    </>
  );
};
