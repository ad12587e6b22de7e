# For Homebrew: goes to Formula/gdvar.rb of a tap.
class Gdvar < Formula
  desc "Look into, check, change and convert Godot saves and packets"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@/releases/download/v@VERSION@/gdvar-@VERSION@-source.tar.gz"
  sha256 "@SHA256 gdvar-VERSION-source.tar.gz@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli"), "--features", "tables"
    generate_completions_from_executable(bin/"gdvar", "completions")
    system bin/"gdvar", "-q", "man", "--dir", man1
  end

  test do
    (testpath/"hp.txt").write '{"hp": 80}'
    system bin/"gdvar", "-q", "from-text", "hp.txt", "-o", "slot.sav"
    assert_equal "80\n", shell_output("#{bin}/gdvar get slot.sav hp")
  end
end
