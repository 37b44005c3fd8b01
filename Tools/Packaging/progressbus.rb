# Untested. A formula for Homebrew; `url` and `sha256` are those of a release.
class Progressbus < Formula
  desc "Shows the progress of many processes as one tree"
  homepage "https://example.invalid/progressbus"
  url "https://example.invalid/progressbus-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "libsodium"
  depends_on "zeromq"
  uses_from_macos "swift" => :build
  uses_from_macos "ncurses"
  uses_from_macos "sqlite"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "progressbus"
    system "Tools/install", "--program", ".build/release/progressbus", prefix
  end

  service do
    run [opt_bin/"progressbus", "broker"]
    keep_alive crashed: true
  end

  test do
    assert_match "progressbus #{version}", shell_output("#{bin}/progressbus version")
  end
end
