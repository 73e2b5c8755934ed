import "./username.css";

/** AB8: what no two people of an instance share, beside a name that they might. */
export function Username({ username }: { username: string | null | undefined }) {
  if (!username) return null;
  return (
    <>
      {" "}
      <bdi className="username">@{username}</bdi>
    </>
  );
}
